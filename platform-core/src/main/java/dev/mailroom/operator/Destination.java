package dev.mailroom.operator;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.mail.queue.Holds;
import org.jspecify.annotations.Nullable;

/**
 * A recipient domain that has deferred mail, that workers contacted recently, or that is
 * held.
 *
 * @param waiting number of deliveries that are not settled
 * @param deferred number of them that were attempted
 * @param inHand number of them that are being handed over
 * @param attempts the largest number of attempts of one of them
 * @param nextAt the earliest time of a next attempt; the time of the query if no mail was
 * deferred or the destination is held
 * @param reply the last reply or error for the newest of them; null if it is unknown
 * @param connections open connections of all workers
 * @param connectionLimit number of connections that all workers may use at present
 * @param circuit the worst state of all workers: 0 closed, 1 half open, 2 open
 * @param closedUntil when the first open circuit admits a trial; null without one
 * @param handed hand-overs with a reply in the last minute
 * @param unreached deferrals of the last ten minutes by their cause, as the following
 * @param reason the reason of the hold; null without a hold, like the three fields after
 * it
 */
public record Destination(String domain, long waiting, long deferred, long inHand, int attempts, Instant nextAt,
		@Nullable String reply, long connections, long connectionLimit, int circuit, @Nullable Instant closedUntil,
		long handed, long unreached, long busy, long distrusted, long mailbox, long other, @Nullable String reason,
		@Nullable UUID heldBy, @Nullable Instant heldAt, @Nullable Instant until) {

	/** The worst state of the circuits of all workers. */
	public Circuit state() {
		return switch (this.circuit) {
			case 0 -> Circuit.CLOSED;
			case 1 -> Circuit.HALF_OPEN;
			default -> Circuit.OPEN;
		};
	}

	/** The numbers of deferrals that are not 0, the largest first. */
	public List<Deferral> deferrals() {
		return Stream
			.of(new Deferral(Cause.UNREACHED, this.unreached), new Deferral(Cause.BUSY, this.busy),
					new Deferral(Cause.DISTRUSTED, this.distrusted), new Deferral(Cause.MAILBOX, this.mailbox),
					new Deferral(Cause.OTHER, this.other))
			.filter((deferral) -> deferral.count() > 0)
			.sorted((one, other) -> Long.compare(other.count(), one.count()))
			.toList();
	}

	/** The hold; null if the destination is not held. */
	public Holds.@Nullable DestinationHold hold() {
		return (this.reason != null && this.heldBy != null && this.heldAt != null)
				? new Holds.DestinationHold(this.domain, this.reason, this.heldBy, this.heldAt, this.until) : null;
	}

	/** Number of deferrals of one cause in the last ten minutes. */
	public record Deferral(Cause cause, long count) {
	}

	/** Causes of deferrals. */
	public enum Cause {

		/** No session could be opened. */
		UNREACHED,
		/** The server was overloaded or ended the session. */
		BUSY,
		/** Security or policy, such as greylisting. */
		DISTRUSTED,
		/** The recipient's mailbox. */
		MAILBOX,
		/** Any other reply. */
		OTHER

	}

}
