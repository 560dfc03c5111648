package dev.mailroom.webhook;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An attempt of a call.
 *
 * @param status status code of the response; null if there was none
 * @param answer beginning of the response's body; null if there was no response
 * @param error reason of the failure; null if the endpoint accepted the event
 */
public record WebhookAttempt(UUID id, UUID deliveryId, @Nullable Integer status, @Nullable String answer,
		@Nullable String error, int tookMs, Instant attemptedAt) {
}
