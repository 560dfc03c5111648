package dev.mailroom.worker.smtp.server;

import java.util.List;

/** A mail received over SMTP: client, envelope and content. */
public final class SmtpMail {

	private final SmtpClient client;

	private final String mailFrom;

	private final List<String> rcptTo;

	private final byte[] content;

	/**
	 * Creates a mail.
	 * @param mailFrom return path; empty for the null sender
	 * @param rcptTo recipients
	 * @param content message without dot stuffing; the array is not copied
	 */
	public SmtpMail(SmtpClient client, String mailFrom, List<String> rcptTo, byte[] content) {
		this.client = client;
		this.mailFrom = mailFrom;
		this.rcptTo = List.copyOf(rcptTo);
		this.content = content;
	}

	/** The client that sent the mail. */
	public SmtpClient client() {
		return this.client;
	}

	/** Return path; empty for the null sender. */
	public String mailFrom() {
		return this.mailFrom;
	}

	/** Recipients in the order of the RCPT commands. */
	public List<String> rcptTo() {
		return this.rcptTo;
	}

	/** The message as received; must not be modified. */
	public byte[] content() {
		return this.content;
	}

}
