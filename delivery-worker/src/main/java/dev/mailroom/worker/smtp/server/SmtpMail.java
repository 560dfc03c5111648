package dev.mailroom.worker.smtp.server;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;

/** A mail received over SMTP: client, envelope and content. */
public final class SmtpMail {

	private static final int MAX_HOPS = 100;

	private static final byte[] RECEIVED = "received:".getBytes(StandardCharsets.US_ASCII);

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

	/**
	 * Whether the mail has passed more than the permitted number of servers, according to
	 * its Received fields: this indicates a mail loop (RFC 5321 section 6.3).
	 */
	boolean hasTooManyHops() {
		int hops = 0;
		for (int line = 0; line < this.content.length && this.content[line] != '\r'
				&& hops <= MAX_HOPS; line = nextLine(line)) {
			hops += isReceived(line) ? 1 : 0;
		}
		return hops > MAX_HOPS;
	}

	private int nextLine(int line) {
		int end = line;
		while (end < this.content.length && this.content[end] != '\n') {
			end++;
		}
		return end + 1;
	}

	private boolean isReceived(int line) {
		if (line + RECEIVED.length > this.content.length) {
			return false;
		}
		for (int i = 0; i < RECEIVED.length; i++) {
			if (Character.toLowerCase(this.content[line + i]) != RECEIVED[i]) {
				return false;
			}
		}
		return true;
	}

}
