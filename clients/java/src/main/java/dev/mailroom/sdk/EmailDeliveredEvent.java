package dev.mailroom.sdk;

import java.time.Instant;

/**
 * The recipient's server accepted an email. Its kind is <code>email.delivered</code>.
 */
public record EmailDeliveredEvent(String id, String apiVersion, Instant createdAt,
		EmailDeliveryData data) implements WebhookEvent {
}
