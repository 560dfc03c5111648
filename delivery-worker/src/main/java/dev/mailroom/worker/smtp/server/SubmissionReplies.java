package dev.mailroom.worker.smtp.server;

import dev.mailroom.Refused;
import dev.mailroom.mail.accept.MailResult;

/**
 * SMTP replies of the submission server. The text of a refusal begins with the contract's
 * error name. A refusal that a later attempt may avoid is temporary (4yz).
 */
final class SubmissionReplies {

	static final SmtpReply MAY_NOT_SEND = new SmtpReply(535, "5.7.8",
			"Forbidden: this API key lacks the permission send");

	static final SmtpReply REVOKED = new SmtpReply(535, "5.7.8", "Unauthorized: this API key is no longer valid");

	static final SmtpReply TOO_MANY = new SmtpReply(450, "4.7.1",
			"Rate limit exceeded: this account submits too many mails, try again in a second");

	static final SmtpReply NO_ADDRESS = new SmtpReply(553, "5.1.3", "Validation error: this is no address");

	private SubmissionReplies() {
	}

	static SmtpReply accepted(MailResult.Accepted mail) {
		return new SmtpReply(250, "2.6.0", "Accepted as " + mail.id());
	}

	static SmtpReply of(Refused refused) {
		String text = refused.refusal().error() + ": " + refused.message();
		return switch (refused.refusal().kind()) {
			case FORBIDDEN, NOT_FOUND -> new SmtpReply(550, "5.7.1", text);
			case UNAUTHENTICATED -> new SmtpReply(535, "5.7.8", text);
			case LIMITED -> new SmtpReply(452, "4.7.1", text);
			case TOO_LARGE -> new SmtpReply(552, "5.3.4", text);
			// A conflict with a running request is over at the next attempt.
			case CONFLICT ->
				refused.retryAfter() != null ? new SmtpReply(451, "4.3.0", text) : new SmtpReply(554, "5.6.0", text);
			case UNAVAILABLE, FAULT -> new SmtpReply(451, "4.3.0", text);
			case INVALID, METHOD_NOT_ALLOWED, UNSUPPORTED -> new SmtpReply(554, "5.6.0", text);
		};
	}

}
