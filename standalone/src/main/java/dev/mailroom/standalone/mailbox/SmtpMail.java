package dev.mailroom.standalone.mailbox;

import java.util.List;

/** A mail as it came in over SMTP: its envelope, and what was in it. */
final class SmtpMail {

	private final String mailFrom;

	private final List<String> rcptTo;

	private final byte[] content;

	/**
	 * A mail.
	 * @param mailFrom the address that bounces go to; empty where none should
	 * @param rcptTo the addresses it is for
	 * @param content the message, without the dots of the transfer
	 */
	SmtpMail(String mailFrom, List<String> rcptTo, byte[] content) {
		this.mailFrom = mailFrom;
		this.rcptTo = List.copyOf(rcptTo);
		this.content = content;
	}

	String mailFrom() {
		return this.mailFrom;
	}

	List<String> rcptTo() {
		return this.rcptTo;
	}

	byte[] content() {
		return this.content;
	}

}
