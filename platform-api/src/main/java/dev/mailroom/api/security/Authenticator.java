package dev.mailroom.api.security;

import dev.mailroom.account.AccessTokens;
import dev.mailroom.apikey.ApiKeys;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.stereotype.Component;

/**
 * Tells whose a token is: an API key by its prefix, a token of the outside issuer by its
 * {@code iss}, and anything else one of ours or nobody's.
 */
@Component
class Authenticator implements ReactiveAuthenticationManager {

	private final AccessTokens tokens;

	private final OutsideIssuer outside;

	private final ApiKeys keys;

	Authenticator(AccessTokens tokens, OutsideIssuer outside, ApiKeys keys) {
		this.tokens = tokens;
		this.outside = outside;
		this.keys = keys;
	}

	@Override
	public Mono<Authentication> authenticate(Authentication shown) {
		return Mono.just(shown)
			.ofType(BearerTokenAuthenticationToken.class)
			.flatMap((it) -> caller(it.getToken()))
			.switchIfEmpty(Mono.error(() -> new BadCredentialsException("no such credential")))
			.cast(Authentication.class);
	}

	private Mono<Caller> caller(String token) {
		if (token.startsWith(ApiKeys.PREFIX)) {
			return this.keys.authenticate(token).map(Caller::key);
		}
		return this.outside.issued(token) ? this.outside.read(token).map(Caller::person)
				: this.tokens.read(token).map(Caller::person);
	}

}
