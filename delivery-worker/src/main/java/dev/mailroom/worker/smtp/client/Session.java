package dev.mailroom.worker.smtp.client;

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

}
