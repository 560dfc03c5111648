package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A held.
 *
 * @param limit Null without a limit.
 */
public record Held(long used, @Nullable Long limit, @Nullable Long remaining) {

	static Held of(JsonObject json) {
		return new Held(json.integer("used"), json.integerOrNull("limit"), json.integerOrNull("remaining"));
	}

}
