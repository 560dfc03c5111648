package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A webhook endpoint detail.
 *
 * @param headers Absent if calls have the standard headers only.
 * @param disabledReason Reason why the platform switched the endpoint off; null if it did
 * not.
 * @param failingSince Time of the first of the latest failures; null if the last call
 * succeeded.
 */
public record WebhookEndpointDetail(String id, String url, List<EventKind> events, boolean active, String description,
		Instant createdAt, @Nullable String headers, @Nullable String disabledReason, @Nullable Instant failingSince) {

	static WebhookEndpointDetail of(JsonObject json) {
		return new WebhookEndpointDetail(json.text("id"), json.text("url"),
				json.texts("events").stream().map(EventKind::new).toList(), json.bool("active"),
				json.text("description"), json.time("created_at"), json.textOrNull("headers"),
				json.textOrNull("disabled_reason"), json.timeOrNull("failing_since"));
	}

}
