package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A relay accepted an email; the result of the delivery is not known yet. Its kind is
 * <code>email.sent</code>.
 */
public record EmailSentEvent(String id, String apiVersion, Instant createdAt,
		EmailDeliveryData data) implements WebhookEvent {
}
