package dev.mailroom.sdk;

/**
 * A suppressed many.
 *
 * @param count Number of addresses that were not on the list before.
 */
public record SuppressedMany(String message, long count) {

	static SuppressedMany of(JsonObject json) {
		return new SuppressedMany(json.text("message"), json.integer("count"));
	}

}
