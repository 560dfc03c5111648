package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A daily or monthly quota is used up; once in each period. Its kind is
 * <code>quota.reached</code>.
 */
public record QuotaReachedEvent(String id, String apiVersion, Instant createdAt,
		QuotaEventData data) implements WebhookEvent {
}
