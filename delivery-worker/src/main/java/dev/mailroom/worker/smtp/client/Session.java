package dev.mailroom.worker.smtp.client;

import java.io.Serial;

import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Settlement;
import reactor.core.publisher.Mono;

/** An open session that takes one mail after another. */
public interface Session {

	/** Whether another mail can be sent over this session. */
	boolean isOpen();

	/**
	 * Hands a mail over once; it is never retried here.
	 * @param message complete lines, each terminated by CRLF
	 * @return the outcome, or the error {@link AnswerLost} if the outcome is unknown
	 */
	Mono<HandOverResult> hand(Envelope envelope, byte[] message);

	/**
	 * Envelope of one SMTP transaction (RFC 5321 section 2.3.1). One transaction has one
	 * recipient, who gets a separate reply and return path.
	 *
	 * @param mailFrom the return path
	 */
	record Envelope(String mailFrom, String recipient) {

		/** Whether an address is not ASCII and requires SMTPUTF8 (RFC 6531). */
		public boolean needsUtf8() {
			return (this.mailFrom + this.recipient).chars().anyMatch((character) -> character > 0x7f);
		}

	}

	/** Outcome of handing a mail over, with the record of the attempt. */
	record HandOverResult(Outcome outcome, Settlement.Attempt attempt) {
	}

	/**
	 * No reply was received after the final dot was sent. It is unknown whether the mail
	 * was accepted. The delivery is not settled; its lease expires.
	 */
	final class AnswerLost extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		private final transient Settlement.Attempt attempt;

		/**
		 * Creates the error.
		 * @param attempt record of the attempt up to the final dot
		 */
		public AnswerLost(Throwable cause, Settlement.Attempt attempt) {
			super("No reply to the final dot", cause);
			this.attempt = attempt;
		}

		/** Record of the attempt up to the final dot. */
		public Settlement.Attempt attempt() {
			return this.attempt;
		}

	}

}
