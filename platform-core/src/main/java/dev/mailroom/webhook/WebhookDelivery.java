package dev.mailroom.webhook;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint is owed for an event, and how far that has come.
 *
 * @param eventId the same at each call, so that the endpoint knows it again
 * @param status pending, delivered or failed
 * @param attempt calls made since it was owed, or since it was asked for again
 * @param lastStatus what the last call was answered with; null where none was
 * @param answer the beginning of that answer's body
 * @param dueAt when it is called next, or was called last where it is settled
 */
public record WebhookDelivery(UUID id, UUID accountId, UUID endpointId, UUID eventId, String kind, String status,
		int attempt, @Nullable Integer lastStatus, @Nullable String answer, Instant dueAt, Instant createdAt,
		@Nullable Instant settledAt) {

	/** Where it stands in lists. */
	Page.Cursor cursor() {
		return new Page.Cursor(this.createdAt, this.id);
	}

}
