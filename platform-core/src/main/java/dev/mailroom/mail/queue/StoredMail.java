package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.mailroom.mail.draft.Forward;
import org.jspecify.annotations.Nullable;

/**
 * Content of a mail, the same for all of its recipients.
 *
 * @param sender the From header: address, or Name &lt;address&gt;
 * @param headers further headers, in order
 * @param createdAt the Date header, the same at every attempt: the time at which the mail
 * was accepted or scheduled to be sent
 * @param stream transactional or campaign
 * @param forward set if its only attachment is the message itself; null for other mail
 */
public record StoredMail(String sender, List<String> to, List<String> cc, List<String> replyTo, String subject,
		@Nullable String html, @Nullable String text, Map<String, String> headers, List<Attachment> attachments,
		Instant createdAt, String stream, @Nullable Forward forward) {

	/** A mail that Mailroom writes. */
	public StoredMail(String sender, List<String> to, List<String> cc, List<String> replyTo, String subject,
			@Nullable String html, @Nullable String text, Map<String, String> headers, List<Attachment> attachments,
			Instant createdAt, String stream) {
		this(sender, to, cc, replyTo, subject, html, text, headers, attachments, createdAt, stream, null);
	}

	/** Approximate size of the bodies and attachments. */
	long bytes() {
		long bytes = length(this.html) + length(this.text);
		for (Attachment file : this.attachments) {
			bytes += file.content().length;
		}
		return bytes;
	}

	private static long length(@Nullable String body) {
		return (body != null) ? body.length() : 0;
	}

	/** The same mail with other attachments. */
	StoredMail with(List<Attachment> attachments) {
		return with(this.html, this.text, attachments);
	}

	/** The same mail with these headers only. */
	public StoredMail withHeaders(Map<String, String> headers) {
		return new StoredMail(this.sender, this.to, this.cc, this.replyTo, this.subject, this.html, this.text, headers,
				this.attachments, this.createdAt, this.stream, this.forward);
	}

	/** The same mail with other bodies. */
	public StoredMail with(@Nullable String html, @Nullable String text) {
		return with(html, text, this.attachments);
	}

	/** The same mail with other bodies and attachments. */
	StoredMail with(@Nullable String html, @Nullable String text, List<Attachment> attachments) {
		return new StoredMail(this.sender, this.to, this.cc, this.replyTo, this.subject, html, text, this.headers,
				attachments, this.createdAt, this.stream, this.forward);
	}

	/**
	 * An attachment of a mail.
	 *
	 * @param contentId the id by which the HTML refers to it; null if it is not shown
	 * inline
	 */
	public record Attachment(String filename, String contentType, @Nullable String contentId, byte[] content) {
	}

}
