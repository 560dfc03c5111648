package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

/**
 * A webhook test data.
 */
public record WebhookTestData(String id, String url, List<EventKind> events, String description, boolean active,
		Instant createdAt) {

	static WebhookTestData of(JsonObject json) {
		return new WebhookTestData(json.text("id"), json.text("url"),
				json.texts("events").stream().map(EventKind::new).toList(), json.text("description"),
				json.bool("active"), json.time("created_at"));
	}

}
