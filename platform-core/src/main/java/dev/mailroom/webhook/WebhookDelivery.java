package dev.mailroom.webhook;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * A call that reports an event to an endpoint, with its attempts.
 *
 * @param eventId the id that all attempts send, by which the endpoint detects repetitions
 * @param kind the contract's name of the event's kind
 * @param status pending, delivered or failed
 * @param body the body that all attempts send; null before the first attempt
 * @param attempt the number of attempts since the call was queued or requeued
 * @param lastStatus the HTTP status of the last attempt; null without a response
 * @param answer the beginning of that response's body
 * @param dueAt the time of the next attempt or, once settled, of the last one
 */
public record WebhookDelivery(UUID id, UUID accountId, UUID endpointId, UUID eventId, String kind, String status,
		@Nullable String body, int attempt, @Nullable Integer lastStatus, @Nullable String answer, Instant dueAt,
		Instant createdAt, @Nullable Instant settledAt) implements Page.Item {

	/**
	 * Calls to an endpoint within a period.
	 *
	 * @param delivered calls that the endpoint accepted
	 * @param failed calls whose last attempt failed, whether or not they are tried again
	 */
	public record Counts(UUID endpointId, long delivered, long failed) {
	}

}
