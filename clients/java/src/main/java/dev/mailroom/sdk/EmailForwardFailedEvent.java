package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A received email was not forwarded to an address of a route. Its kind is
 * <code>email.forward_failed</code>.
 */
public record EmailForwardFailedEvent(String id, String apiVersion, Instant createdAt,
		EmailForwardFailedData data) implements WebhookEvent {
}
