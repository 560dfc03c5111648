package dev.mailroom.worker.smtp.server;

import java.util.List;

import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

/**
 * Decides on senders, recipients and mails. The methods are called on an event loop and
 * must not block. An error, an empty result and a timeout are replied with 451, so that
 * the client retries.
 */
public interface SmtpHandler {

	/** Accepts a sender or a recipient. */
	SmtpReply OK = new SmtpReply(250, "2.1.0", "Ok");

	/** Whether AUTH is offered and required before MAIL. */
	default boolean requiresAuth() {
		return false;
	}

	/**
	 * Authenticates a client; empty if the credentials are wrong.
	 * @throws SmtpRefused through the Mono, to send another reply than 535
	 */
	default Mono<Scope> signIn(SmtpClient client, String user, String password) {
		return Mono.empty();
	}

	/**
	 * Replies to MAIL.
	 * @param sender empty for the null sender
	 */
	default Mono<SmtpReply> sender(SmtpClient client, String sender) {
		return Mono.just(OK);
	}

	/**
	 * Replies to RCPT.
	 * @param earlier recipients accepted before
	 */
	default Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return Mono.just(OK);
	}

	/** Bytes of memory that {@link #mail} takes for each byte of a mail, at most. */
	default int memoryFactor() {
		return 1;
	}

	/** Replies to the final dot. A 250 takes over responsibility for the mail. */
	Mono<SmtpReply> mail(SmtpMail mail);

}
