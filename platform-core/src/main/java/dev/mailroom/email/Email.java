package dev.mailroom.email;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * A mail as its sender sees it.
 *
 * @param sender the From header: address, or Name &lt;address&gt;
 * @param status pending, sent, delivered, bounced, complained or failed
 * @param lastEvent what happened to it last, such as queued, scheduled or
 * delivery_delayed
 * @param scheduledAt when it is, or was, to be sent; null where that was at once
 */
public record Email(UUID id, UUID accountId, UUID domainId, String sender, String fromEmail, List<String> toEmails,
		List<String> cc, List<String> bcc, List<String> replyTo, String subject, Map<String, Object> tags,
		String status, String lastEvent, @Nullable Instant scheduledAt, int openCount, int clickCount,
		Instant createdAt) {

	/** Where it stands in lists. */
	Page.Cursor cursor() {
		return new Page.Cursor(this.createdAt, this.id);
	}

	/**
	 * How far the mail has come with one of its recipients.
	 *
	 * @param reply the last server's last words; null before there were any
	 */
	public record Recipient(String email, String status, @Nullable String reply) {
	}

	/** Which mails a list is of; null where any will do. */
	public record Filter(@Nullable UUID domainId, @Nullable String status) {
	}

}
