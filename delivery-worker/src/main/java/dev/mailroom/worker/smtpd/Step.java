package dev.mailroom.worker.smtpd;

import java.util.function.Function;

import reactor.core.publisher.Mono;

/** What a connection does next. */
sealed interface Step {

	/** Waits for more to come. */
	record More() implements Step {
	}

	/**
	 * Answers.
	 *
	 * @param lines each with its end
	 * @param last whether the connection is closed then
	 */
	record Say(String lines, boolean last) implements Step {
	}

	/**
	 * Asks the handler; nothing more is read before it has answered.
	 *
	 * @param then makes of the handler's answer what is done next
	 */
	record Ask(Mono<SmtpReply> question, Function<SmtpReply, Step> then) implements Step {
	}

	/** Answers, and begins TLS; what was sent before it is forgotten. */
	record Encrypt(String lines) implements Step {
	}

}
