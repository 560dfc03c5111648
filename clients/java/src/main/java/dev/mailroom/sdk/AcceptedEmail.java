package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An accepted email.
 *
 * @param replayed True if a request with the same Idempotency-Key had sent the mail
 * before; absent otherwise.
 */
public record AcceptedEmail(String id, String from, List<String> to, Instant createdAt, @Nullable Boolean replayed) {

	static AcceptedEmail of(JsonObject json) {
		return new AcceptedEmail(json.text("id"), json.text("from"), json.texts("to"), json.time("created_at"),
				json.boolOrNull("replayed"));
	}

}
