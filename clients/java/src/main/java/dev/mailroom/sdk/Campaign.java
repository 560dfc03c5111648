package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A campaign.
 *
 * @param startedAt Time of the first start.
 * @param totalContacts Number of recipients; before the first start, number of contacts
 * in the book.
 */
public record Campaign(String id, String name, String status, String from, String fromEmail, List<String> replyTo,
		String subject, String contactBookId, String contactBookName, @Nullable String templateId,
		@Nullable String htmlContent, @Nullable String textContent, @Nullable Instant sendAt,
		@Nullable Instant startedAt, long totalContacts, long sentCount, long deliveredCount, long openedCount,
		long clickedCount, Instant createdAt, Instant updatedAt) {

	static Campaign of(JsonObject json) {
		return new Campaign(json.text("id"), json.text("name"), json.text("status"), json.text("from"),
				json.text("from_email"), json.texts("reply_to"), json.text("subject"), json.text("contact_book_id"),
				json.text("contact_book_name"), json.textOrNull("template_id"), json.textOrNull("html_content"),
				json.textOrNull("text_content"), json.timeOrNull("send_at"), json.timeOrNull("started_at"),
				json.integer("total_contacts"), json.integer("sent_count"), json.integer("delivered_count"),
				json.integer("opened_count"), json.integer("clicked_count"), json.time("created_at"),
				json.time("updated_at"));
	}

}
