package dev.mailroom.idempotency;

import java.util.UUID;

/**
 * A request that carries an Idempotency-Key.
 *
 * @param route method and path, such as {@code POST /emails}
 * @param key what the client sent, 1 to 256 printable characters
 * @param bodyHash SHA-256 of the body as canonical JSON, in hex
 */
public record Claim(UUID accountId, String route, String key, String bodyHash) {

	/** What two requests share where the second is a retry of the first. */
	public Name name() {
		return new Name(this.accountId, this.route, this.key);
	}

	/** A claim without its body. */
	public record Name(UUID accountId, String route, String key) {
	}

}
