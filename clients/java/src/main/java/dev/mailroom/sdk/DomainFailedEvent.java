package dev.mailroom.sdk;

import java.time.Instant;

/**
 * The DNS records of a domain are missing. Its kind is <code>domain.failed</code>.
 */
public record DomainFailedEvent(String id, String apiVersion, Instant createdAt,
		DomainEventData data) implements WebhookEvent {
}
