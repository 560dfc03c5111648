package dev.mailroom.worker.smtpd;

import java.util.List;

import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

/**
 * What becomes of the mail that a server hears of. It is asked on an event loop and must
 * not wait there. An error, an empty answer and one that takes too long are a 451: the
 * client comes again.
 */
public interface SmtpHandler {

	/** Says yes to a sender or a recipient. */
	SmtpReply OK = new SmtpReply(250, "2.1.0", "Ok");

	/** Whether clients sign in before they send: AUTH is offered then, and asked for. */
	default boolean wantsSignIn() {
		return false;
	}

	/**
	 * Tells who signs in; empty where it is nobody.
	 * @throws SmtpRefused through the Mono, to say something else than that
	 */
	default Mono<Scope> signIn(SmtpClient client, String user, String password) {
		return Mono.empty();
	}

	/**
	 * Asked at MAIL.
	 * @param sender empty where nobody is to hear of a bounce
	 */
	default Mono<SmtpReply> sender(SmtpClient client, String sender) {
		return Mono.just(OK);
	}

	/**
	 * Asked at RCPT.
	 * @param earlier the recipients that were taken before this one
	 */
	default Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return Mono.just(OK);
	}

	/** Asked at the end of a mail: with a 250 it is ours to keep. */
	Mono<SmtpReply> mail(SmtpMail mail);

}
