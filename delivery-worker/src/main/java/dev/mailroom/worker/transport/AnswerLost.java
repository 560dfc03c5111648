package dev.mailroom.worker.transport;

import java.io.Serial;

import dev.mailroom.outcome.Attempt;

/**
 * The final dot was on its way and no answer came back: nobody knows whether the mail was
 * taken. Its delivery stays as it is until its lease runs out.
 */
public final class AnswerLost extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Attempt attempt;

	AnswerLost(Throwable cause, Attempt attempt) {
		super("No answer came to the final dot", cause);
		this.attempt = attempt;
	}

	/** How it went up to there. */
	public Attempt attempt() {
		return this.attempt;
	}

}
