package dev.mailroom.api.idempotency;

import dev.mailroom.Scope;
import dev.mailroom.idempotency.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A request's Idempotency-Key. A route that supports it takes one as an argument, null if
 * the request has none.
 *
 * @param route method and path
 * @param bodyHash SHA-256 of the body as canonical JSON, in hex
 */
public record IdempotencyKey(String route, String key, String bodyHash) {

	/** The claim of a request; null if it has no key. */
	public static @Nullable Claim claim(Scope scope, @Nullable IdempotencyKey key) {
		return (key != null) ? key.claim(scope) : null;
	}

	Claim claim(Scope scope) {
		return new Claim(scope.account(), this.route, this.key, this.bodyHash);
	}

}
