package dev.mailroom.standalone.mailbox;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.mailroom.worker.smtpd.SmtpMail;

/**
 * A mail that was caught, as the mailbox tells of it.
 *
 * @param headers each with its values as they came, unfolded; a repeated one has a line
 * for each
 * @param mail what came, byte for byte
 */
record Message(String id, String mailFrom, List<String> rcptTo, String subject, Instant receivedAt, String text,
		String html, Map<String, String> headers, @JsonIgnore SmtpMail mail) {

	boolean isFor(String recipient) {
		return this.rcptTo.stream().anyMatch((each) -> each.equalsIgnoreCase(recipient));
	}

	/** Roughly what it takes in memory. */
	long weight() {
		return (long) this.mail.content().length + this.text.length() + this.html.length();
	}

}
