package dev.mailroom.worker.smtpd;

/** A no of a handler, in its own words. */
public final class SmtpRefused extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient SmtpReply reply;

	/** A no that is said like this. */
	public SmtpRefused(SmtpReply reply) {
		super(reply.toString(), null, false, false);
		this.reply = reply;
	}

	SmtpReply reply() {
		return this.reply;
	}

}
