package dev.mailroom.submission;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A mail as somebody asked for it, whichever way it came in: nothing in it has been
 * looked at yet. Null where nothing was said.
 *
 * @param from address, or Name &lt;address&gt;
 * @param tags name to text, number or truth value
 * @param headers further headers
 * @param sendAt when to send it, ISO 8601 with an offset
 */
public record Submission(@Nullable String from, @Nullable List<@Nullable String> to,
		@Nullable List<@Nullable String> cc, @Nullable List<@Nullable String> bcc,
		@Nullable List<@Nullable String> replyTo, @Nullable String subject, @Nullable String html,
		@Nullable String text, @Nullable List<@Nullable File> attachments, @Nullable Map<String, Object> tags,
		@Nullable Map<String, @Nullable String> headers, @Nullable String sendAt, @Nullable Boolean openTracking,
		@Nullable Boolean clickTracking) {

	/**
	 * Whether a sender may set this header: those that carry the mail itself are ours.
	 */
	public static boolean mayCarry(String header) {
		return HeaderRules.allowed(header);
	}

	/**
	 * Something to attach.
	 *
	 * @param content base64 (RFC 4648 4)
	 * @param contentId by which the HTML names it; it is then shown inline
	 */
	public record File(@Nullable String filename, @Nullable String content, @Nullable String contentType,
			@Nullable String contentId) {
	}
}
