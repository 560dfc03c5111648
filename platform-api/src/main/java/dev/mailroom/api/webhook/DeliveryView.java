package dev.mailroom.api.webhook;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.webhook.WebhookDelivery;
import org.jspecify.annotations.Nullable;

/**
 * A webhook call in responses.
 *
 * @param eventId the {@code webhook-id} header of its attempts
 * @param responseStatus the HTTP status of the last attempt; null before the first
 * @param nextAttemptAt null once the call is settled
 */
record DeliveryView(UUID id, UUID endpointId, UUID eventId, String type, String status, int attempts,
		@Nullable Integer responseStatus, @Nullable String responseBody, @Nullable Instant nextAttemptAt,
		Instant createdAt, @Nullable Instant settledAt) {

	static DeliveryView of(WebhookDelivery delivery) {
		return new DeliveryView(delivery.id(), delivery.endpointId(), delivery.eventId(), delivery.kind(),
				delivery.status(), delivery.attempt(), delivery.lastStatus(), delivery.answer(),
				(delivery.settledAt() == null) ? delivery.dueAt() : null, delivery.createdAt(), delivery.settledAt());
	}

}
