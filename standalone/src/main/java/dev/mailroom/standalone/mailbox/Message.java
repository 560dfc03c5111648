package dev.mailroom.standalone.mailbox;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.mailroom.worker.smtp.server.SmtpMail;

/**
 * A caught message, as shown in JSON.
 *
 * @param headers unfolded values by name; repeated fields are separated by line breaks
 * @param attachments the other parts, in order
 * @param mail the mail as received
 */
record Message(String id, String mailFrom, List<String> rcptTo, String subject, Instant receivedAt, String text,
		String html, Map<String, String> headers, List<Attachment> attachments, @JsonIgnore SmtpMail mail) {

	boolean isFor(String recipient) {
		return this.rcptTo.stream().anyMatch((address) -> address.equalsIgnoreCase(recipient));
	}

	/** Approximate memory in bytes. */
	long weight() {
		return (long) this.mail.content().length + this.text.length() + this.html.length()
				+ this.attachments.stream().mapToLong(Attachment::size).sum();
	}

	/** A part that is neither the text nor the HTML. */
	record Attachment(String filename, String contentType, int size, @JsonIgnore byte[] content) {
	}

}
