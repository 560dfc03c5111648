package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A contact was deleted. Its kind is <code>contact.deleted</code>.
 */
public record ContactDeletedEvent(String id, String apiVersion, Instant createdAt,
		ContactEventData data) implements WebhookEvent {
}
