package dev.mailroom.sdk;

import java.time.Instant;

/**
 * An email was not sent, because it expired or cannot be composed. Its kind is
 * <code>email.failed</code>.
 */
public record EmailFailedEvent(String id, String apiVersion, Instant createdAt,
		EmailFailedData data) implements WebhookEvent {
}
