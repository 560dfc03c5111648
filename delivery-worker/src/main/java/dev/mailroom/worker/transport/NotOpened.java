package dev.mailroom.worker.transport;

import java.io.Serial;

import dev.mailroom.outcome.Outcome;

/** No session could be opened: nothing was tried with the mails that waited for it. */
public final class NotOpened extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final boolean counts;

	NotOpened(String reply, boolean counts, Throwable cause) {
		super(reply, cause);
		this.counts = counts;
	}

	/** The outcome for each of the mails. */
	public Outcome.Unopened outcome() {
		return new Outcome.Unopened(String.valueOf(getMessage()), this.counts);
	}

}
