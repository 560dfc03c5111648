package dev.mailroom.api.idempotency;

import dev.mailroom.Scope;
import dev.mailroom.idempotency.Claim;

/**
 * A request's Idempotency-Key. A route that heeds it takes one as an argument, null where
 * the request has none.
 *
 * @param bodyHash SHA-256 of the body as canonical JSON, in hex
 */
public record IdempotencyKey(String route, String key, String bodyHash) {

	/** The same, as the core claims it. */
	public Claim claim(Scope scope) {
		return new Claim(scope.account(), this.route, this.key, this.bodyHash);
	}

}
