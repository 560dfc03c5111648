package dev.mailroom.sdk;

import java.time.Instant;

/**
 * An email event.
 */
public record EmailEvent(String id, String type, EmailEventData data, Instant createdAt) {

	static EmailEvent of(JsonObject json) {
		return new EmailEvent(json.text("id"), json.text("type"), EmailEventData.of(json.object("data")),
				json.time("created_at"));
	}

}
