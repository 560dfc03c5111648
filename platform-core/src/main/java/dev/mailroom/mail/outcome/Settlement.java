package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Transitions;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of one delivery that a worker held.
 *
 * @param attempt record of the attempt; null if no server was contacted
 */
public record Settlement(Lease lease, Outcome outcome, @Nullable Attempt attempt) {

	/** A settlement without an attempt. */
	public Settlement(Lease lease, Outcome outcome) {
		this(lease, outcome, null);
	}

	/** The settlement of a delivery that the fence barred. */
	static Settlement of(Fenced.Barred barred) {
		return new Settlement(barred.lease(), switch (barred.reason()) {
			case SUPPRESSED -> new Outcome.Suppressed();
			case CAMPAIGN_GONE -> new Outcome.Failed("The campaign was deleted");
			case HELD -> new Outcome.Unopened("The mail is held", false);
			case EXHAUSTED -> new Outcome.Deferred("No attempt was answered");
			case UNREADABLE -> new Outcome.Failed("The mail's content cannot be read", true);
			case CONTENT_MISSING -> new Outcome.Deferred("The bucket does not have the mail's content");
			case CONTENT_GONE -> new Outcome.Failed("The mail's content is gone", true);
			case CONTENT_UNAVAILABLE -> new Outcome.Unopened("The mail's content could not be fetched", false);
			case NO_ROOM -> new Outcome.Unopened("The mail's content exceeds the memory available now", false);
		});
	}

	/** All but hand-overs without a reply, which leave their delivery as it is. */
	static List<Settlement> answered(List<Settlement> settlements) {
		return settlements.stream().filter((one) -> !(one.outcome() instanceof Outcome.Unanswered)).toList();
	}

	/** The attempts of deliveries that were answered. */
	static Map<UUID, Attempt> attempts(List<Settlement> settlements) {
		Map<UUID, Attempt> attempts = new HashMap<>();
		for (Settlement settlement : answered(settlements)) {
			if (settlement.attempt() != null && settlement.isAttempt()) {
				attempts.putIfAbsent(settlement.lease().delivery(), settlement.attempt());
			}
		}
		return attempts;
	}

	/** The results to write. */
	static List<Transitions.Result> results(List<Settlement> settlements) {
		return answered(settlements).stream()
			.map((one) -> new Transitions.Result(one.lease, one.result().contractName(), one.countsAttempt(),
					one.bounce(), one.reply(), one.retryAfter()))
			.toList();
	}

	private DeliveryResult result() {
		return switch (this.outcome) {
			case Outcome.Delivered _ -> DeliveryResult.DELIVERED;
			case Outcome.Sent _ -> DeliveryResult.SENT;
			case Outcome.Bounced _ -> DeliveryResult.BOUNCED;
			case Outcome.Deferred _ -> DeliveryResult.DEFERRED;
			case Outcome.Unopened _ -> DeliveryResult.UNOPENED;
			case Outcome.Unanswered _ -> DeliveryResult.UNANSWERED;
			case Outcome.Suppressed _ -> DeliveryResult.SUPPRESSED;
			case Outcome.Failed _ -> DeliveryResult.FAILED;
		};
	}

	/**
	 * Whether the settlement counts the attempt. Deliveries that passed the fence were
	 * counted there.
	 */
	private boolean countsAttempt() {
		return this.outcome instanceof Outcome.Unopened unopened && unopened.counts();
	}

	/** Whether an attempt was made. */
	private boolean isAttempt() {
		return !(this.outcome instanceof Outcome.Unopened unopened) || unopened.counts();
	}

	/** Reason of a bounce; null for other outcomes. */
	private @Nullable String bounce() {
		return (this.outcome instanceof Outcome.Bounced bounced) ? bounced.reason().contractName() : null;
	}

	/** Time until the next attempt; null for the schedule of retries. */
	private @Nullable Duration retryAfter() {
		return switch (this.outcome) {
			case Outcome.Deferred deferred -> deferred.retryAfter();
			case Outcome.Unopened unopened -> unopened.retryAfter();
			case Outcome.Delivered _, Outcome.Sent _, Outcome.Bounced _, Outcome.Unanswered _, Outcome.Suppressed _,
					Outcome.Failed _ ->
				null;
		};
	}

	/** The reply or reason without control characters, which PostgreSQL may refuse. */
	private @Nullable String reply() {
		String text = switch (this.outcome) {
			case Outcome.Delivered(var reply) -> reply;
			case Outcome.Sent(var reply) -> reply;
			case Outcome.Bounced(var _, var reply) -> reply;
			case Outcome.Deferred(var reply, var _) -> reply;
			case Outcome.Unopened(var reply, var _, var _) -> reply;
			case Outcome.Failed(var reason, var _) -> reason;
			case Outcome.Unanswered _, Outcome.Suppressed _ -> null;
		};
		return (text != null) ? text.replaceAll("\\p{Cntrl}", " ") : null;
	}

	/**
	 * Record of one attempt to hand over a mail, for support.
	 *
	 * @param transport name of the transport
	 * @param host name of the server; empty if no connection was made
	 * @param tls version and cipher; empty if the session was not encrypted
	 * @param conversation the SMTP dialogue, one line each, preceded by the milliseconds
	 * since the attempt began
	 * @param source local address that was chosen for the mail; null if the operating
	 * system chose one
	 */
	public record Attempt(Instant began, Duration took, String transport, String host, String address, String tls,
			String conversation, @Nullable String source) {
	}

}
