package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * An email as it is shown to its sender.
 *
 * @param sender the From header: address, or Name &lt;address&gt;
 * @param stream transactional or campaign
 * @param status pending, sent, delivered, bounced, complained or failed
 * @param lastEvent its latest event, such as queued, scheduled or delivery_delayed
 * @param scheduledAt the time for which it is or was scheduled; null if it was not
 */
public record Email(UUID id, UUID accountId, UUID domainId, String sender, String fromEmail, List<String> toEmails,
		List<String> cc, List<String> bcc, List<String> replyTo, String subject, Map<String, Object> tags,
		String stream, String status, String lastEvent, @Nullable Instant scheduledAt, int openCount, int clickCount,
		Instant createdAt) implements Page.Item {

	/**
	 * A recipient of an email.
	 *
	 * @param status its delivery status
	 * @param reply the last reply of a server; null if there was none
	 */
	public record Recipient(String email, String status, @Nullable String reply) {
	}

	/** Filter of a list; a null condition is not applied. */
	public record Filter(@Nullable UUID domainId, @Nullable String status) {
	}

}
