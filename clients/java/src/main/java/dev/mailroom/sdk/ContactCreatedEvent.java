package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A contact was added. Its kind is <code>contact.created</code>.
 */
public record ContactCreatedEvent(String id, String apiVersion, Instant createdAt,
		ContactEventData data) implements WebhookEvent {
}
