package dev.mailroom.sdk;

import java.time.Instant;

/**
 * The DNS records of a domain were found. Its kind is <code>domain.verified</code>.
 */
public record DomainVerifiedEvent(String id, String apiVersion, Instant createdAt,
		DomainEventData data) implements WebhookEvent {
}
