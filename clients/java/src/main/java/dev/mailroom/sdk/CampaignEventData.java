package dev.mailroom.sdk;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A campaign event data.
 *
 * @param pausedReason Absent if the campaign was not paused for a reason.
 */
public record CampaignEventData(String id, String name, String status, String from, String fromEmail, String subject,
		String contactBookId, String contactBookName, long totalContacts, long sentCount, long deliveredCount,
		long openedCount, long clickedCount, Instant createdAt, Instant updatedAt, @Nullable String pausedReason) {

	static CampaignEventData of(JsonObject json) {
		return new CampaignEventData(json.text("id"), json.text("name"), json.text("status"), json.text("from"),
				json.text("from_email"), json.text("subject"), json.text("contact_book_id"),
				json.text("contact_book_name"), json.integer("total_contacts"), json.integer("sent_count"),
				json.integer("delivered_count"), json.integer("opened_count"), json.integer("clicked_count"),
				json.time("created_at"), json.time("updated_at"), json.textOrNull("paused_reason"));
	}

}
