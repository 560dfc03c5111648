package dev.mailroom.api.webhook;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.webhook.WebhookAttempt;
import dev.mailroom.webhook.WebhookDelivery;
import org.jspecify.annotations.Nullable;

/**
 * A webhook call in responses.
 *
 * @param eventId the {@code webhook-id} header of its attempts
 * @param responseStatus the HTTP status of the last attempt; null before the first
 * @param nextAttemptAt null once the call is settled
 * @param attemptLog all attempts, oldest first, also those before the call was repeated
 */
record DeliveryView(UUID id, UUID endpointId, UUID eventId, String type, String status, int attempts,
		@Nullable Integer responseStatus, @Nullable String responseBody, @Nullable Instant nextAttemptAt,
		Instant createdAt, @Nullable Instant settledAt, List<Attempt> attemptLog) {

	static DeliveryView of(WebhookDelivery delivery, Map<UUID, Collection<WebhookAttempt>> attempts) {
		return new DeliveryView(delivery.id(), delivery.endpointId(), delivery.eventId(), delivery.kind(),
				delivery.status(), delivery.attempt(), delivery.lastStatus(), delivery.answer(),
				(delivery.settledAt() == null) ? delivery.dueAt() : null, delivery.createdAt(), delivery.settledAt(),
				attempts.getOrDefault(delivery.id(), List.of()).stream().map(Attempt::of).toList());
	}

	/**
	 * An attempt in responses.
	 *
	 * @param status the HTTP status; null without a response
	 * @param error null if the endpoint accepted the event
	 */
	record Attempt(@Nullable Integer status, @Nullable String answer, @Nullable String error, int tookMs,
			Instant attemptedAt) {

		static Attempt of(WebhookAttempt attempt) {
			return new Attempt(attempt.status(), attempt.answer(), attempt.error(), attempt.tookMs(),
					attempt.attemptedAt());
		}

	}

}
