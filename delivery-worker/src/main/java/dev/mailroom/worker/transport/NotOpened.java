package dev.mailroom.worker.transport;

import java.io.Serial;

import dev.mailroom.outcome.Attempt;
import dev.mailroom.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/** No session could be opened: nothing was tried with the mails that waited for it. */
public final class NotOpened extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final boolean counts;

	private final transient @Nullable Attempt attempt;

	NotOpened(String reply, boolean counts, @Nullable Attempt attempt, @Nullable Throwable cause) {
		super(reply, cause);
		this.counts = counts;
		this.attempt = attempt;
	}

	/** The outcome for each of the mails. */
	public Outcome.Unopened outcome() {
		return new Outcome.Unopened(String.valueOf(getMessage()), this.counts);
	}

	/** How it went; null where nobody was asked. */
	public @Nullable Attempt attempt() {
		return this.attempt;
	}

}
