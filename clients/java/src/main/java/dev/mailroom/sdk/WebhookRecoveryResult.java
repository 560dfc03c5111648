package dev.mailroom.sdk;

/**
 * A webhook recovery result.
 *
 * @param count Number of deliveries that were queued.
 * @param more Whether the same request may queue further ones.
 */
public record WebhookRecoveryResult(long count, boolean more) {

	static WebhookRecoveryResult of(JsonObject json) {
		return new WebhookRecoveryResult(json.integer("count"), json.bool("more"));
	}

}
