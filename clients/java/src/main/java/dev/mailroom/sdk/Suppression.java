package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A suppression.
 */
public record Suppression(String id, String email, SuppressionReason reason, Instant createdAt) {

	static Suppression of(JsonObject json) {
		return new Suppression(json.text("id"), json.text("email"), new SuppressionReason(json.text("reason")),
				json.time("created_at"));
	}

}
