package dev.mailroom.inbound;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * A mail that came in. Each verdict is PASS, FAIL, GRAY, PROCESSING_FAILED or DISABLED.
 *
 * @param fromName empty where the sender gave none
 */
public record InboundEmail(UUID id, UUID accountId, UUID domainId, String fromEmail, String fromName,
		List<String> toEmails, List<String> ccEmails, String subject, String spamVerdict, String virusVerdict,
		String spfVerdict, String dkimVerdict, String dmarcVerdict, String status, Instant createdAt) {

	/** Where it stands in lists. */
	Page.Cursor cursor() {
		return new Page.Cursor(this.createdAt, this.id);
	}

	/** A mail with what it says. */
	public record Whole(InboundEmail email, Text text, List<File> files) {
	}

	/** What it says; either may be missing. */
	public record Text(@Nullable String html, @Nullable String text) {
	}

	/**
	 * A file that came with it.
	 *
	 * @param position its place among the files, from 0
	 * @param size in bytes
	 */
	public record File(int position, String filename, String contentType, long size) {
	}

	/** A file with its bytes. */
	public record Content(String filename, String contentType, byte[] content) {
	}

}
