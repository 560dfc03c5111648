package dev.mailroom.mail.accept;

import java.util.UUID;

/**
 * Claim of an Idempotency-Key by a request.
 *
 * @param route method and path, such as {@code POST /emails}
 * @param key the header's value, 1 to 256 printable characters
 * @param bodyHash SHA-256 of the body as canonical JSON, in hex
 */
public record Claim(UUID accountId, String route, String key, String bodyHash) {

	/** The part that a request and its retry have in common. */
	public Name name() {
		return new Name(this.accountId, this.route, this.key);
	}

	/** A claim without the hash of its body. */
	public record Name(UUID accountId, String route, String key) {
	}

}
