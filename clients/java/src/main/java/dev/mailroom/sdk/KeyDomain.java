package dev.mailroom.sdk;

/**
 * A key domain.
 */
public record KeyDomain(String id, String name) {

	static KeyDomain of(JsonObject json) {
		return new KeyDomain(json.text("id"), json.text("name"));
	}

}
