package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A campaign item.
 *
 * @param totalContacts Number of recipients; before the first start, number of contacts
 * in the book.
 */
public record CampaignItem(String id, String name, String status, String fromEmail, String subject,
		String contactBookName, long totalContacts, long sentCount, long deliveredCount, long openedCount,
		long clickedCount, Instant createdAt) {

	static CampaignItem of(JsonObject json) {
		return new CampaignItem(json.text("id"), json.text("name"), json.text("status"), json.text("from_email"),
				json.text("subject"), json.text("contact_book_name"), json.integer("total_contacts"),
				json.integer("sent_count"), json.integer("delivered_count"), json.integer("opened_count"),
				json.integer("clicked_count"), json.time("created_at"));
	}

}
