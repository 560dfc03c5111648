package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A webhook delivery.
 *
 * @param eventId Sent as <code>webhook-id</code>.
 * @param attempts Number of attempts since the delivery was queued or repeated.
 * @param responseStatus Status code of the last response.
 * @param responseBody The first 4 KB of the last response.
 * @param attemptLog All attempts, oldest first, also those before the delivery was
 * repeated.
 */
public record WebhookDelivery(String id, String endpointId, String eventId, EventKind type, String status,
		long attempts, @Nullable Long responseStatus, @Nullable String responseBody, @Nullable Instant nextAttemptAt,
		Instant createdAt, @Nullable Instant settledAt, List<WebhookAttempt> attemptLog) {

	static WebhookDelivery of(JsonObject json) {
		return new WebhookDelivery(json.text("id"), json.text("endpoint_id"), json.text("event_id"),
				new EventKind(json.text("type")), json.text("status"), json.integer("attempts"),
				json.integerOrNull("response_status"), json.textOrNull("response_body"),
				json.timeOrNull("next_attempt_at"), json.time("created_at"), json.timeOrNull("settled_at"),
				json.list("attempt_log", WebhookAttempt::of));
	}

}
