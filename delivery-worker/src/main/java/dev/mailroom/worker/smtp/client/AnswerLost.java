package dev.mailroom.worker.smtp.client;

import java.io.Serial;

import dev.mailroom.mail.outcome.Attempt;

/**
 * No reply was received after the final dot was sent, so that it is unknown whether the
 * mail was accepted. The delivery is not settled; its lease expires.
 */
public final class AnswerLost extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Attempt attempt;

	/**
	 * Creates the error.
	 * @param attempt record of the attempt up to the final dot
	 */
	public AnswerLost(Throwable cause, Attempt attempt) {
		super("No reply to the final dot", cause);
		this.attempt = attempt;
	}

	/** Record of the attempt up to the final dot. */
	public Attempt attempt() {
		return this.attempt;
	}

}
