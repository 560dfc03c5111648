package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

/**
 * An accepted email.
 */
public record AcceptedEmail(String id, String from, List<String> to, Instant createdAt) {

	static AcceptedEmail of(JsonObject json) {
		return new AcceptedEmail(json.text("id"), json.text("from"), json.texts("to"), json.time("created_at"));
	}

}
