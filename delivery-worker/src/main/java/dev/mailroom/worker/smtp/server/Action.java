package dev.mailroom.worker.smtp.server;

import java.util.function.Function;

import reactor.core.publisher.Mono;

/** Next action of the connection. */
sealed interface Action {

	/** An action that sends a reply. */
	static Action reply(SmtpReply reply) {
		return new Send(reply + "\r\n", false);
	}

	/** An action that sends a reply and closes the connection. */
	static Action replyAndClose(SmtpReply reply) {
		return new Send(reply + "\r\n", true);
	}

	/** Waits for more bytes. */
	record ReadMore() implements Action {
	}

	/**
	 * Sends lines.
	 *
	 * @param lines each terminated by CRLF
	 * @param close whether the connection is closed afterwards
	 */
	record Send(String lines, boolean close) implements Action {
	}

	/**
	 * Calls the handler. Nothing is read until it has replied.
	 *
	 * @param then maps the handler's reply to the next action
	 * @param isMail whether the handler is given a complete mail
	 */
	record Call(Mono<SmtpReply> result, Function<SmtpReply, Action> then, boolean isMail) implements Action {

		Call(Mono<SmtpReply> result, Function<SmtpReply, Action> then) {
			this(result, then, false);
		}
	}

	/** Sends lines and begins TLS; unread bytes are discarded. */
	record StartTls(String lines) implements Action {
	}

}
