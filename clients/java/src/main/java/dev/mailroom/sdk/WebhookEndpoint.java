package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A webhook endpoint.
 *
 * @param headers Absent if calls have the standard headers only.
 */
public record WebhookEndpoint(String id, String url, List<EventKind> events, boolean active, String description,
		Instant createdAt, @Nullable String headers) {

	static WebhookEndpoint of(JsonObject json) {
		return new WebhookEndpoint(json.text("id"), json.text("url"),
				json.texts("events").stream().map(EventKind::new).toList(), json.bool("active"),
				json.text("description"), json.time("created_at"), json.textOrNull("headers"));
	}

}
