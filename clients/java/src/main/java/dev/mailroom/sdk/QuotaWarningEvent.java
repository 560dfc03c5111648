package dev.mailroom.sdk;

import java.time.Instant;

/**
 * 80 % of a daily or monthly quota are used; once in each period. Its kind is
 * <code>quota.warning</code>.
 */
public record QuotaWarningEvent(String id, String apiVersion, Instant createdAt,
		QuotaEventData data) implements WebhookEvent {
}
