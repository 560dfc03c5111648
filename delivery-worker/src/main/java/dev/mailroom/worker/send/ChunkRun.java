package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.worker.compose.Composer;
import dev.mailroom.worker.smtp.client.Session;
import org.jspecify.annotations.Nullable;

/** Hand-overs of one chunk. */
final class ChunkRun {

	/**
	 * Time after the fence within which a mail begins, other than the first; later it
	 * passes the fence again. Twice the time within which all should begin.
	 */
	private static final Duration MAX_WAIT = HandOverPace.BEGIN_TARGET.multipliedBy(2);

	private final Session session;

	private final Map<UUID, Lease> leases;

	/** Time until which the next mail may be begun. */
	private final long deadline;

	/** Time until which a hand-over may begin, as required by the lease. */
	private final long latest;

	private @Nullable UUID composedKey;

	private @Nullable CompletableFuture<byte[]> composed;

	/**
	 * Creates the run.
	 * @param fenced time at which its mails passed the fence, on the clock of
	 * {@link System#nanoTime()}
	 * @param latest time until which a hand-over may begin, as required by the lease
	 */
	ChunkRun(Session session, List<Lease> leases, long fenced, long latest) {
		this.session = session;
		this.leases = leases.stream().collect(Collectors.toMap(Lease::delivery, Function.identity(), (a, _) -> a));
		long target = fenced + MAX_WAIT.toNanos();
		this.deadline = (target - latest < 0) ? target : latest;
		this.latest = latest;
	}

	Session session() {
		return this.session;
	}

	long deadline() {
		return this.deadline;
	}

	long latest() {
		return this.latest;
	}

	/**
	 * Whether the recipient's domain is the one that the session was opened for. The
	 * lease's route comes from the topic; the recipient comes from the database.
	 */
	boolean isFor(HandOver handOver) {
		Lease lease = this.leases.get(handOver.lease().delivery());
		String recipient = handOver.recipient();
		return lease != null
				&& recipient.substring(recipient.lastIndexOf('@') + 1).equalsIgnoreCase(lease.route().domain());
	}

	/**
	 * The message, which is composed once for adjacent recipients of a mail without
	 * personal content. Only the newest one is kept.
	 */
	CompletableFuture<byte[]> composed(HandOver handOver, Composer composer) {
		CompletableFuture<byte[]> newest = this.composed;
		if (newest == null || !handOver.messageKey().equals(this.composedKey)) {
			newest = Sender.start(composer.compose(handOver));
			this.composed = newest;
			this.composedKey = handOver.messageKey();
		}
		return newest;
	}

}
