package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A link of an email was opened. Its kind is <code>email.clicked</code>.
 */
public record EmailClickedEvent(String id, String apiVersion, Instant createdAt,
		EmailClickedData data) implements WebhookEvent {
}
