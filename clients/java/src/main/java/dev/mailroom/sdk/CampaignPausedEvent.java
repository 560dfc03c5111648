package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A campaign was paused. Its kind is <code>campaign.paused</code>.
 */
public record CampaignPausedEvent(String id, String apiVersion, Instant createdAt,
		CampaignEventData data) implements WebhookEvent {
}
