package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A paused campaign was resumed. Its kind is <code>campaign.resumed</code>.
 */
public record CampaignResumedEvent(String id, String apiVersion, Instant createdAt,
		CampaignEventData data) implements WebhookEvent {
}
