package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An issued webhook endpoint.
 *
 * @param headers Absent if calls have the standard headers only.
 * @param secret The signing secret. It is not shown again.
 */
public record IssuedWebhookEndpoint(String id, String url, List<EventKind> events, boolean active, String description,
		Instant createdAt, @Nullable String headers, String secret) {

	static IssuedWebhookEndpoint of(JsonObject json) {
		return new IssuedWebhookEndpoint(json.text("id"), json.text("url"),
				json.texts("events").stream().map(EventKind::new).toList(), json.bool("active"),
				json.text("description"), json.time("created_at"), json.textOrNull("headers"), json.text("secret"));
	}

}
