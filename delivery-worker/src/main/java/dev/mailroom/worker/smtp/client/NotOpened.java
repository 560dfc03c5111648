package dev.mailroom.worker.smtp.client;

import java.io.Serial;
import java.time.Duration;

import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Settlement;
import org.jspecify.annotations.Nullable;

/** No session could be opened: none of the waiting mails was attempted. */
public final class NotOpened extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String reply;

	private final boolean counts;

	private final Duration retryAfter;

	private final transient Settlement.@Nullable Attempt attempt;

	private NotOpened(String reply, String reason, boolean counts, Duration retryAfter,
			Settlement.@Nullable Attempt attempt, @Nullable Throwable cause) {
		super(reason, cause);
		this.reply = reply;
		this.counts = counts;
		this.retryAfter = retryAfter;
		this.attempt = attempt;
	}

	/**
	 * The error of an attempt that failed.
	 * @param reply text stored as the delivery's reply, which its account reads
	 * @param reason text for the operator, which may name the server
	 */
	public static NotOpened failed(String reply, String reason, Settlement.Attempt attempt, Throwable cause) {
		return new NotOpened(reply, reason, true, Duration.ZERO, attempt, cause);
	}

	/**
	 * The error if no server was contacted: the mails only wait, and no attempt counts.
	 * @param retryAfter time after which another try is useful
	 */
	public static NotOpened notTried(String reason, Duration retryAfter, @Nullable Throwable cause) {
		return new NotOpened(reason, reason, false, retryAfter, null, cause);
	}

	/** Whether a server was contacted, which counts as an attempt. */
	public boolean counts() {
		return this.counts;
	}

	/** Time after which another try is useful; zero if an attempt counts. */
	public Duration retryAfter() {
		return this.retryAfter;
	}

	/** Outcome of each of the waiting mails. */
	public Outcome.Unopened outcome() {
		return new Outcome.Unopened(this.reply, this.counts, this.retryAfter.isZero() ? null : this.retryAfter);
	}

	/** Record of the attempt; null if no server was contacted. */
	public Settlement.@Nullable Attempt attempt() {
		return this.attempt;
	}

}
