package dev.mailroom.worker.transport;

import java.io.Serial;

import dev.mailroom.outcome.Attempt;
import dev.mailroom.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/** No session could be opened: nothing was tried with the mails that waited for it. */
public final class NotOpened extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Outcome outcome;

	private final transient @Nullable Attempt attempt;

	/** Neither side is at fault for good: it is tried again. */
	NotOpened(String reply, boolean counts, @Nullable Attempt attempt, @Nullable Throwable cause) {
		this(new Outcome.Unopened(reply, counts), reply, attempt, cause);
	}

	NotOpened(Outcome outcome, String reply, @Nullable Attempt attempt, @Nullable Throwable cause) {
		super(reply, cause);
		this.outcome = outcome;
		this.attempt = attempt;
	}

	/** The outcome for each of the mails. */
	public Outcome outcome() {
		return this.outcome;
	}

	/** How it went; null where nobody was asked. */
	public @Nullable Attempt attempt() {
		return this.attempt;
	}

}
