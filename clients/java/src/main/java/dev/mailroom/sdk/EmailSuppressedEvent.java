package dev.mailroom.sdk;

import java.time.Instant;

/**
 * An email was not sent to a recipient on the suppression list. Its kind is
 * <code>email.suppressed</code>.
 */
public record EmailSuppressedEvent(String id, String apiVersion, Instant createdAt,
		EmailDeliveryData data) implements WebhookEvent {
}
