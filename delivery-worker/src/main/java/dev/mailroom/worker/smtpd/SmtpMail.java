package dev.mailroom.worker.smtpd;

import java.util.List;

/**
 * A mail as it came in over SMTP: who brought it, its envelope, and what was in it.
 */
public final class SmtpMail {

	private final SmtpClient client;

	private final String mailFrom;

	private final List<String> rcptTo;

	private final byte[] content;

	/**
	 * A mail.
	 * @param mailFrom the address that bounces go to; empty where none should
	 * @param rcptTo the addresses it is for
	 * @param content the message, without the dots of the transfer; the mail keeps it
	 */
	public SmtpMail(SmtpClient client, String mailFrom, List<String> rcptTo, byte[] content) {
		this.client = client;
		this.mailFrom = mailFrom;
		this.rcptTo = List.copyOf(rcptTo);
		this.content = content;
	}

	/** Who brought it. */
	public SmtpClient client() {
		return this.client;
	}

	/** The address that bounces go to; empty where none should. */
	public String mailFrom() {
		return this.mailFrom;
	}

	/** The addresses it is for, in the order in which they were named. */
	public List<String> rcptTo() {
		return this.rcptTo;
	}

	/** The message, byte for byte; not to be changed. */
	public byte[] content() {
		return this.content;
	}

}
