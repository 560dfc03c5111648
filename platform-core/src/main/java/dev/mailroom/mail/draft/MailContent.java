package dev.mailroom.mail.draft;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Content of a mail, the same for each of its recipients, as received over any protocol.
 * That of a {@link CheckedMail} is valid.
 *
 * @param subject empty if none was given
 * @param html null if there is none
 * @param text null if there is none
 * @param attachments at most ten, 10 MB together when decoded
 * @param tags name to string, number or boolean
 * @param headers further headers, in order
 * @param openTracking null if the domain's setting applies
 * @param clickTracking null if the domain's setting applies
 */
public record MailContent(String subject, @Nullable String html, @Nullable String text, List<Attachment> attachments,
		Map<String, Object> tags, Map<String, String> headers, @Nullable Boolean openTracking,
		@Nullable Boolean clickTracking) {

	/** An empty body is stored as none. */
	public MailContent {
		html = (html == null || html.isEmpty()) ? null : html;
		text = (text == null || text.isEmpty()) ? null : text;
	}

	/**
	 * Content without attachments, tags or headers; the domain decides about tracking.
	 */
	public static MailContent of(@Nullable String subject, @Nullable String html, @Nullable String text) {
		return new MailContent((subject != null) ? subject : "", html, text, List.of(), Map.of(), Map.of(), null, null);
	}

	/** The same with another subject and body. */
	public MailContent withBody(@Nullable String subject, @Nullable String html, @Nullable String text) {
		return new MailContent((subject != null) ? subject : "", html, text, this.attachments, this.tags, this.headers,
				this.openTracking, this.clickTracking);
	}

	/** The same with other attachments. */
	public MailContent withAttachments(List<Attachment> attachments) {
		return new MailContent(this.subject, this.html, this.text, attachments, this.tags, this.headers,
				this.openTracking, this.clickTracking);
	}

	/** The same with other headers. */
	public MailContent withHeaders(Map<String, String> headers) {
		return new MailContent(this.subject, this.html, this.text, this.attachments, this.tags, headers,
				this.openTracking, this.clickTracking);
	}

	/**
	 * The same with the domain's tracking settings where the mail has none. They are
	 * stored with the mail, because each attempt sends the same bytes.
	 */
	public MailContent withDefaultTracking(@Nullable Boolean opens, @Nullable Boolean clicks) {
		return new MailContent(this.subject, this.html, this.text, this.attachments, this.tags, this.headers,
				(this.openTracking != null) ? this.openTracking : opens,
				(this.clickTracking != null) ? this.clickTracking : clicks);
	}

	/** Approximate memory use in bytes. */
	public long size() {
		long files = this.attachments.stream().mapToLong((file) -> file.content().length()).sum();
		return 1024L + bodyLength() + files;
	}

	/** Characters of both bodies. */
	public long bodyLength() {
		return length(this.html) + length(this.text);
	}

	private static long length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

	/**
	 * An attached file.
	 *
	 * @param contentId the name by which the HTML shows it inline; null if it does not
	 * @param content base64 (RFC 4648 4)
	 */
	public record Attachment(String filename, String contentType, @Nullable String contentId, String content) {

		/** An attachment with defaults for the fields that were not given. */
		public static Attachment of(@Nullable String filename, @Nullable String contentType, @Nullable String contentId,
				@Nullable String content) {
			return new Attachment((filename != null) ? filename : "",
					(contentType != null) ? contentType : "application/octet-stream", contentId,
					(content != null) ? content : "");
		}

		/** The same file, not shown inline. */
		public Attachment withoutContentId() {
			return new Attachment(this.filename, this.contentType, null, this.content);
		}

	}

}
