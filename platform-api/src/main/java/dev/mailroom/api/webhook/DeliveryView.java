package dev.mailroom.api.webhook;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.webhook.WebhookDelivery;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint was owed, and what came of it.
 *
 * @param eventId the {@code webhook-id} of its calls
 * @param responseStatus of the last call; null before the first
 * @param nextAttemptAt null where it is settled
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
