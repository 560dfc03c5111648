package dev.mailroom.sdk;

import java.util.List;

/**
 * A changed webhook endpoint.
 */
public record ChangedWebhookEndpoint(String id, String url, List<EventKind> events, boolean active) {

	static ChangedWebhookEndpoint of(JsonObject json) {
		return new ChangedWebhookEndpoint(json.text("id"), json.text("url"),
				json.texts("events").stream().map(EventKind::new).toList(), json.bool("active"));
	}

}
