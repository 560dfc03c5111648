package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A tracking domain failed for an hour: new mails have the name of the platform again.
 * Its kind is <code>tracking_domain.failed</code>.
 */
public record TrackingDomainFailedEvent(String id, String apiVersion, Instant createdAt,
		TrackingDomainEventData data) implements WebhookEvent {
}
