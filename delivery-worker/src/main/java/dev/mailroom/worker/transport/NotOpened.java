package dev.mailroom.worker.transport;

import java.io.Serial;

import dev.mailroom.outcome.Attempt;
import dev.mailroom.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/** No session could be opened, so that none of the waiting mails was attempted. */
public final class NotOpened extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final boolean counts;

	private final transient @Nullable Attempt attempt;

	/**
	 * Creates the error.
	 * @param reply text stored as the delivery's reply
	 * @param counts whether this counts as an attempt
	 * @param attempt null if no server was contacted
	 */
	public NotOpened(String reply, boolean counts, @Nullable Attempt attempt, @Nullable Throwable cause) {
		super(reply, cause);
		this.counts = counts;
		this.attempt = attempt;
	}

	/** Outcome of each of the waiting mails. */
	public Outcome.Unopened outcome() {
		return new Outcome.Unopened(String.valueOf(getMessage()), this.counts);
	}

	/** Record of the attempt; null if no server was contacted. */
	public @Nullable Attempt attempt() {
		return this.attempt;
	}

}
