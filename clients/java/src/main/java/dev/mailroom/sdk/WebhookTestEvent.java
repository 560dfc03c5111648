package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A test that the owner of an endpoint requested; sent to this endpoint only. Its kind is
 * <code>webhook.test</code>.
 */
public record WebhookTestEvent(String id, String apiVersion, Instant createdAt,
		WebhookTestData data) implements WebhookEvent {
}
