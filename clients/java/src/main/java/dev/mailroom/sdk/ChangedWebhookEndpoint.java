package dev.mailroom.sdk;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A changed webhook endpoint.
 *
 * @param headers Absent if calls have the standard headers only.
 */
public record ChangedWebhookEndpoint(String id, String url, List<EventKind> events, boolean active,
		@Nullable String headers) {

	static ChangedWebhookEndpoint of(JsonObject json) {
		return new ChangedWebhookEndpoint(json.text("id"), json.text("url"),
				json.texts("events").stream().map(EventKind::new).toList(), json.bool("active"),
				json.textOrNull("headers"));
	}

}
