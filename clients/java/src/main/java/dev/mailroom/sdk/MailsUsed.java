package dev.mailroom.sdk;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A mails used.
 *
 * @param limit Null without a limit.
 */
public record MailsUsed(long used, @Nullable Long limit, @Nullable Long remaining, Instant resetsAt) {

	static MailsUsed of(JsonObject json) {
		return new MailsUsed(json.integer("used"), json.integerOrNull("limit"), json.integerOrNull("remaining"),
				json.time("resets_at"));
	}

}
