package dev.mailroom.sdk;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A webhook attempt.
 *
 * @param status Status code of the response; null if there was none.
 * @param answer The first 4 KB of the response.
 * @param error Reason of the failure; null if the endpoint accepted the event.
 */
public record WebhookAttempt(@Nullable Long status, @Nullable String answer, @Nullable String error, long tookMs,
		Instant attemptedAt) {

	static WebhookAttempt of(JsonObject json) {
		return new WebhookAttempt(json.integerOrNull("status"), json.textOrNull("answer"), json.textOrNull("error"),
				json.integer("took_ms"), json.time("attempted_at"));
	}

}
