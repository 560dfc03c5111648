package dev.mailroom.worker.smtp.server;

/** Refusal by a handler with its own reply. */
public final class SmtpRefused extends RuntimeException {

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
