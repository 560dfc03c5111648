package dev.mailroom.email;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A mail that may be sent as it stands: one that exists is valid.
 *
 * @param attachments at most ten, 10 MB together when decoded
 * @param sendAt when to send it; null for at once
 * @param openTracking null where the domain decides
 * @param clickTracking null where the domain decides
 */
public record Draft(Mailbox from, List<Mailbox> to, List<Mailbox> cc, List<Mailbox> bcc, List<Mailbox> replyTo,
		String subject, @Nullable String html, @Nullable String text, List<File> attachments, Map<String, Object> tags,
		Map<String, String> headers, @Nullable Instant sendAt, @Nullable Boolean openTracking,
		@Nullable Boolean clickTracking) {

	/**
	 * Something attached.
	 *
	 * @param content base64, known to be whole
	 * @param contentId null where the file is not shown inline
	 */
	public record File(String filename, String contentType, @Nullable String contentId, String content) {
	}

	/** Everybody it goes to, each address once: to first, then cc, then bcc. */
	List<String> recipients() {
		return Stream.of(this.to, this.cc, this.bcc)
			.flatMap(List::stream)
			.map((mailbox) -> mailbox.address().toString())
			.distinct()
			.toList();
	}

	/** Roughly the memory it takes, in bytes. */
	long size() {
		long files = this.attachments.stream().mapToLong((file) -> file.content().length()).sum();
		return 1024L + length(this.html) + length(this.text) + files;
	}

	private static long length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

}
