package dev.mailroom.sdk;

import java.time.Instant;

/**
 * An email was opened. Its kind is <code>email.opened</code>.
 */
public record EmailOpenedEvent(String id, String apiVersion, Instant createdAt,
		EmailOpenedData data) implements WebhookEvent {
}
