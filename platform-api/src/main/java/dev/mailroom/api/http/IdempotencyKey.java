package dev.mailroom.api.http;

import java.util.List;
import java.util.regex.Pattern;

import dev.mailroom.Scope;
import dev.mailroom.mail.accept.Claim;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * A request's Idempotency-Key. A route that supports it takes one as an argument, null if
 * the request has none.
 *
 * @param route method and path, the same for all spellings of a path
 * @param bodyHash SHA-256 of the body as canonical JSON, in hex
 */
public record IdempotencyKey(String route, String key, String bodyHash) {

	private static final Pattern VALID = Pattern.compile("[\\x20-\\x7e]{1,256}");

	/** The key in a request's headers, which are usable; null if it has none. */
	public static @Nullable IdempotencyKey of(String route, HttpHeaders headers, byte[] body) {
		@Nullable String key = headers.getFirst(IdempotencyFilter.HEADER);
		return (key != null) ? new IdempotencyKey(route, key, CanonicalJson.hash(body)) : null;
	}

	/** Whether a request has no key, or a valid one. */
	public static boolean isUsable(HttpHeaders headers) {
		List<String> keys = headers.getOrDefault(IdempotencyFilter.HEADER, List.of());
		return keys.isEmpty() || (keys.size() == 1 && VALID.matcher(keys.getFirst()).matches());
	}

	/** The claim of a request; null if it has no key. */
	public static @Nullable Claim claim(Scope scope, @Nullable IdempotencyKey key) {
		return (key != null) ? key.claim(scope) : null;
	}

	Claim claim(Scope scope) {
		return new Claim(scope.account(), this.route, this.key, this.bodyHash);
	}

}
