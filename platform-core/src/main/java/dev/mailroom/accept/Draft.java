package dev.mailroom.accept;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A mail that may be sent as it stands: one that exists is valid.
 *
 * @param attachments at most ten, 10 MB together when decoded
 * @param sendAt when to send it; null for at once
 * @param openTracking null where the domain decides
 * @param clickTracking null where the domain decides
 * @param contactId of the contact that it goes to and to nobody else; null where it goes
 * to no contact book
 */
public record Draft(Mailbox from, List<Mailbox> to, List<Mailbox> cc, List<Mailbox> bcc, List<Mailbox> replyTo,
		String subject, @Nullable String html, @Nullable String text, List<File> attachments, Map<String, Object> tags,
		Map<String, String> headers, @Nullable Instant sendAt, @Nullable Boolean openTracking,
		@Nullable Boolean clickTracking, @Nullable UUID contactId) {

	/**
	 * Something attached.
	 *
	 * @param content base64, known to be whole
	 * @param contentId null where the file is not shown inline
	 */
	public record File(String filename, String contentType, @Nullable String contentId, String content) {
	}

	/** Everybody it goes to, each address once: to first, then cc, then bcc. */
	public List<String> recipients() {
		return Stream.of(this.to, this.cc, this.bcc)
			.flatMap(List::stream)
			.map((mailbox) -> mailbox.address().toString())
			.distinct()
			.toList();
	}

	/** For a contact of a book alone, who may have left it when its turn comes. */
	public Draft to(UUID contact) {
		return with(this.openTracking, this.clickTracking, contact);
	}

	/**
	 * With the domain's word where it says nothing of tracking itself. It is fixed with
	 * the mail: every attempt has the same bytes.
	 */
	Draft tracked(@Nullable Boolean opens, @Nullable Boolean clicks) {
		return with((this.openTracking != null) ? this.openTracking : opens,
				(this.clickTracking != null) ? this.clickTracking : clicks, this.contactId);
	}

	private Draft with(@Nullable Boolean opens, @Nullable Boolean clicks, @Nullable UUID contact) {
		return new Draft(this.from, this.to, this.cc, this.bcc, this.replyTo, this.subject, this.html, this.text,
				this.attachments, this.tags, this.headers, this.sendAt, opens, clicks, contact);
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
