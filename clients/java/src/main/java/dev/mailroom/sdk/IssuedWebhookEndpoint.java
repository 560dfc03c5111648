package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

/**
 * An issued webhook endpoint.
 *
 * @param secret The signing secret. It is not shown again.
 */
public record IssuedWebhookEndpoint(String id, String url, List<EventKind> events, boolean active, String description,
		Instant createdAt, String secret) {

	static IssuedWebhookEndpoint of(JsonObject json) {
		return new IssuedWebhookEndpoint(json.text("id"), json.text("url"),
				json.texts("events").stream().map(EventKind::new).toList(), json.bool("active"),
				json.text("description"), json.time("created_at"), json.text("secret"));
	}

}
