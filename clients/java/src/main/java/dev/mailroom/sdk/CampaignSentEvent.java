package dev.mailroom.sdk;

import java.time.Instant;

/**
 * All emails of a campaign were handed over. Its kind is <code>campaign.sent</code>.
 */
public record CampaignSentEvent(String id, String apiVersion, Instant createdAt,
		CampaignEventData data) implements WebhookEvent {
}
