package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A recipient.
 *
 * @param reply The last SMTP reply.
 */
public record Recipient(String email, String status, @Nullable String reply) {

	static Recipient of(JsonObject json) {
		return new Recipient(json.text("email"), json.text("status"), json.textOrNull("reply"));
	}

}
