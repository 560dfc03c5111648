package dev.mailroom.admin.security;

import dev.mailroom.Refusal;
import dev.mailroom.account.Authenticator;
import dev.mailroom.account.Caller;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.stereotype.Component;

/** Authenticates the access token of a person (RFC 6750). API keys are refused. */
@Component
class BearerAuthentication implements ReactiveAuthenticationManager {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

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
				.switchIfEmpty(Mono.fromRunnable(() -> countFailure("access_token", "invalid"))))
			.switchIfEmpty(Mono.error(() -> new BadCredentialsException("The credential is not valid")))
			.map(this::person);
	}

	private void countFailure(String kind, String reason) {
		this.registry.counter("mailroom.auth.failures", "kind", kind, "reason", reason).increment();
	}

	private Authentication person(Caller caller) {
		if (!caller.isPerson()) {
			countFailure("api_key", "not_permitted");
			throw FORBIDDEN.because("API keys use the REST API. Sign in and send the access token.");
		}
		return new CallerToken(caller);
	}

}
