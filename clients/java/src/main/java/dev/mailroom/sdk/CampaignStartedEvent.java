package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A campaign was started. Its kind is <code>campaign.started</code>.
 */
public record CampaignStartedEvent(String id, String apiVersion, Instant createdAt,
		CampaignEventData data) implements WebhookEvent {
}
