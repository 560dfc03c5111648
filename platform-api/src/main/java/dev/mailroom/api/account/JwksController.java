package dev.mailroom.api.account;

import java.time.Duration;
import java.util.Map;

import dev.mailroom.account.AccessTokens;
import dev.mailroom.api.http.AtRoot;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Publishes the keys that verify access tokens, as a JWK set (RFC 7517). */
@AtRoot
@RestController
class JwksController {

	/** Shorter than the hour for which a key is published before it signs. */
	private static final Duration CACHE_MAX_AGE = Duration.ofMinutes(5);

	private final AccessTokens tokens;

	JwksController(AccessTokens tokens) {
		this.tokens = tokens;
	}

	@GetMapping("/.well-known/jwks.json")
	Mono<ResponseEntity<Map<String, Object>>> keys() {
		return this.tokens.publicKeys()
			.map((keys) -> ResponseEntity.ok()
				.cacheControl(CacheControl.maxAge(CACHE_MAX_AGE).cachePublic())
				.body(keys));
	}

}
