package dev.mailroom.sdk;

import java.time.Instant;

/**
 * An email was accepted for a later time. Its kind is <code>email.scheduled</code>.
 */
public record EmailScheduledEvent(String id, String apiVersion, Instant createdAt,
		EmailScheduledData data) implements WebhookEvent {
}
