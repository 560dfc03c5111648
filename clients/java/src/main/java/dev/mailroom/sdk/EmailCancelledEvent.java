package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A scheduled email was cancelled. Its kind is <code>email.cancelled</code>.
 */
public record EmailCancelledEvent(String id, String apiVersion, Instant createdAt,
		EmailCancelledData data) implements WebhookEvent {
}
