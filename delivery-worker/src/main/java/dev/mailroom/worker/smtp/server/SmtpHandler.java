package dev.mailroom.worker.smtp.server;

import java.net.InetSocketAddress;
import java.util.List;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Decides on senders, recipients and mails. The methods are called on an event loop and
 * must not block. An error, an empty result and a timeout are replied with 451, after
 * which the client retries.
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

	/**
	 * Client of an SMTP session.
	 *
	 * @param address remote address of the connection
	 * @param helo name given with EHLO or HELO
	 * @param tls whether the connection is encrypted
	 * @param principal the authenticated account; null before AUTH
	 */
	record SmtpClient(InetSocketAddress address, String helo, boolean tls, @Nullable Scope principal) {
	}

	/** Refusal by a handler with its own reply. */
	final class SmtpRefused extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final transient SmtpReply reply;

		/** Creates a refusal that sends the reply. */
		public SmtpRefused(SmtpReply reply) {
			super(reply.toString(), null, false, false);
			this.reply = reply;
		}

		SmtpReply reply() {
			return this.reply;
		}

	}

}
