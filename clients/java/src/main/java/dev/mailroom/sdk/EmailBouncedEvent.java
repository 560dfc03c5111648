package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A delivery was refused permanently. Its kind is <code>email.bounced</code>.
 */
public record EmailBouncedEvent(String id, String apiVersion, Instant createdAt,
		EmailBouncedData data) implements WebhookEvent {
}
