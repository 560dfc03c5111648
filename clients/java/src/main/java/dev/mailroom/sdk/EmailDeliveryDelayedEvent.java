package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A delivery failed temporarily for the first time and will be tried again. Its kind is
 * <code>email.delivery_delayed</code>.
 */
public record EmailDeliveryDelayedEvent(String id, String apiVersion, Instant createdAt,
		EmailDeliveryData data) implements WebhookEvent {
}
