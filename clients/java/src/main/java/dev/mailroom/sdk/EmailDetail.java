package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email detail.
 */
public record EmailDetail(String id, String from, List<String> to, List<String> cc, List<String> bcc,
		List<String> replyTo, String subject, String fromEmail, List<String> toEmails, EmailStatus status,
		String lastEvent, Map<String, @Nullable Object> tags, @Nullable Instant scheduledAt, long openCount,
		long clickCount, List<Recipient> recipients, Instant createdAt) {

	static EmailDetail of(JsonObject json) {
		return new EmailDetail(json.text("id"), json.text("from"), json.texts("to"), json.texts("cc"),
				json.texts("bcc"), json.texts("reply_to"), json.text("subject"), json.text("from_email"),
				json.texts("to_emails"), new EmailStatus(json.text("status")), json.text("last_event"),
				json.map("tags"), json.timeOrNull("scheduled_at"), json.integer("open_count"),
				json.integer("click_count"), json.list("recipients", Recipient::of), json.time("created_at"));
	}

}
