package dev.mailroom.api.security;

import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Authenticator;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.stereotype.Component;

/** Authenticates the bearer token of a request (RFC 6750). */
@Component
class BearerAuthentication implements ReactiveAuthenticationManager {

	private final Authenticator authenticator;

	private final MeterRegistry registry;

	BearerAuthentication(Authenticator authenticator, MeterRegistry registry) {
		this.authenticator = authenticator;
		this.registry = registry;
	}

	@Override
	public Mono<Authentication> authenticate(Authentication authentication) {
		return Mono.just(authentication)
			.ofType(BearerTokenAuthenticationToken.class)
			.flatMap((bearer) -> this.authenticator.authenticate(bearer.getToken())
				.switchIfEmpty(Mono.fromRunnable(() -> countFailure(bearer.getToken()))))
			.switchIfEmpty(Mono.error(() -> new BadCredentialsException("The credential is not valid")))
			.map(CallerToken::new);
	}

	private void countFailure(String token) {
		String kind = token.startsWith(ApiKeys.PREFIX) ? "api_key" : "access_token";
		this.registry.counter("mailroom.auth.failures", "kind", kind, "reason", "invalid").increment();
	}

}
