package dev.mailroom.worker.transport;

import reactor.core.publisher.Mono;

/** An open session, ready for one mail after another. */
public interface Session {

	/** Whether another mail can go over it. */
	boolean isOpen();

	/**
	 * Hands a mail over, once: it is never tried again in place.
	 * @param message whole lines, each ended by CRLF
	 * @return what came of it; {@link AnswerLost} where nobody knows
	 */
	Mono<HandOverResult> hand(Envelope envelope, byte[] message);

}
