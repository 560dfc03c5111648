package dev.mailroom.sdk;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A contact event data.
 *
 * @param firstName Empty if unknown.
 * @param lastName Empty if unknown.
 * @param consent Absent if the book required no confirmation.
 */
public record ContactEventData(String id, String contactBookId, String email, String firstName, String lastName,
		boolean subscribed, Map<String, @Nullable Object> properties, @Nullable String consent, Instant createdAt,
		Instant updatedAt) {

	static ContactEventData of(JsonObject json) {
		return new ContactEventData(json.text("id"), json.text("contact_book_id"), json.text("email"),
				json.text("first_name"), json.text("last_name"), json.bool("subscribed"), json.map("properties"),
				json.textOrNull("consent"), json.time("created_at"), json.time("updated_at"));
	}

}
