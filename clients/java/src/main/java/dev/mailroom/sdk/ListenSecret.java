package dev.mailroom.sdk;

/**
 * A listen secret.
 */
public record ListenSecret(String secret) {

	static ListenSecret of(JsonObject json) {
		return new ListenSecret(json.text("secret"));
	}

}
