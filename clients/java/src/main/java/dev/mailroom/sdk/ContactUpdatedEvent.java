package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A contact was changed. Its kind is <code>contact.updated</code>.
 */
public record ContactUpdatedEvent(String id, String apiVersion, Instant createdAt,
		ContactEventData data) implements WebhookEvent {
}
