package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

/**
 * An email log item.
 */
public record EmailLogItem(String id, String fromEmail, List<String> toEmails, String subject, EmailStatus status,
		long openCount, long clickCount, Instant createdAt) {

	static EmailLogItem of(JsonObject json) {
		return new EmailLogItem(json.text("id"), json.text("from_email"), json.texts("to_emails"), json.text("subject"),
				new EmailStatus(json.text("status")), json.integer("open_count"), json.integer("click_count"),
				json.time("created_at"));
	}

}
