package dev.mailroom.sdk;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An event.
 *
 * @param emailId The mail that the event is about.
 */
public record Event(String id, String type, @Nullable String emailId, Map<String, @Nullable Object> data,
		Instant createdAt) {

	static Event of(JsonObject json) {
		return new Event(json.text("id"), json.text("type"), json.textOrNull("email_id"), json.map("data"),
				json.time("created_at"));
	}

}
