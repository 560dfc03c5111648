package dev.mailroom.sdk;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A scheduled email.
 */
public record ScheduledEmail(String id, EmailStatus status, @Nullable Instant sendAt) {

	static ScheduledEmail of(JsonObject json) {
		return new ScheduledEmail(json.text("id"), new EmailStatus(json.text("status")), json.timeOrNull("send_at"));
	}

}
