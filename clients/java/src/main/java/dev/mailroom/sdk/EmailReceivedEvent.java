package dev.mailroom.sdk;

import java.time.Instant;

/**
 * An inbound email was received. Its kind is <code>email.received</code>.
 */
public record EmailReceivedEvent(String id, String apiVersion, Instant createdAt,
		EmailReceivedData data) implements WebhookEvent {
}
