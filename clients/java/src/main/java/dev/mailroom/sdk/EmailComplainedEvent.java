package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A recipient reported an email as spam. Its kind is <code>email.complained</code>.
 */
public record EmailComplainedEvent(String id, String apiVersion, Instant createdAt,
		EmailComplainedData data) implements WebhookEvent {
}
