package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A contact unsubscribed. Its kind is <code>contact.unsubscribed</code>.
 */
public record ContactUnsubscribedEvent(String id, String apiVersion, Instant createdAt,
		ContactEventData data) implements WebhookEvent {
}
