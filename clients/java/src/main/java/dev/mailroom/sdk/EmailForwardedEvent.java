package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A received email was forwarded to an address of a route. Its kind is
 * <code>email.forwarded</code>.
 */
public record EmailForwardedEvent(String id, String apiVersion, Instant createdAt,
		EmailForwardedData data) implements WebhookEvent {
}
