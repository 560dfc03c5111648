package dev.mailroom.http;

import dev.mailroom.Refusal;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Authenticator;
import dev.mailroom.account.Caller;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.FormLoginSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.HeaderSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.HttpBasicSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.LogoutSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.RequestCacheSpec;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.server.authentication.ServerBearerTokenAuthenticationConverter;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.authentication.ServerAuthenticationEntryPointFailureHandler;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;

/** Authenticates the bearer token of a request (RFC 6750). */
public final class BearerAuthentication implements ReactiveAuthenticationManager {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final Authenticator authenticator;

	private final MeterRegistry registry;

	private final boolean acceptsKeys;

	/**
	 * Creates the authentication of an app.
	 * @param acceptsKeys whether API keys are accepted beside the access tokens of people
	 */
	public BearerAuthentication(Authenticator authenticator, MeterRegistry registry, boolean acceptsKeys) {
		this.authenticator = authenticator;
		this.registry = registry;
		this.acceptsKeys = acceptsKeys;
	}

	/**
	 * Adds this authentication to a filter chain, and removes all others. The chain uses
	 * no sessions.
	 * @param requests the requests whose token is read
	 * @param unauthorized writes the response to an invalid token
	 */
	public ServerHttpSecurity addTo(ServerHttpSecurity http, ServerWebExchangeMatcher requests,
			ServerAuthenticationEntryPoint unauthorized) {
		AuthenticationWebFilter filter = new AuthenticationWebFilter(this);
		filter.setServerAuthenticationConverter(new ServerBearerTokenAuthenticationConverter());
		filter.setRequiresAuthenticationMatcher(requests);
		filter.setAuthenticationFailureHandler(new ServerAuthenticationEntryPointFailureHandler(unauthorized));
		filter.setSecurityContextRepository(NoOpServerSecurityContextRepository.getInstance());
		return http.csrf(CsrfSpec::disable)
			.httpBasic(HttpBasicSpec::disable)
			.formLogin(FormLoginSpec::disable)
			.logout(LogoutSpec::disable)
			.requestCache(RequestCacheSpec::disable)
			.headers(HeaderSpec::disable)
			.securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
			.addFilterAt(filter, SecurityWebFiltersOrder.AUTHENTICATION);
	}

	@Override
	public Mono<Authentication> authenticate(Authentication authentication) {
		return Mono.just(authentication)
			.ofType(BearerTokenAuthenticationToken.class)
			.flatMap((bearer) -> this.authenticator.authenticate(bearer.getToken())
				.switchIfEmpty(Mono.fromRunnable(() -> countFailure(kind(bearer.getToken()), "invalid"))))
			.switchIfEmpty(Mono.error(() -> new BadCredentialsException("The credential is not valid")))
			.map(this::token);
	}

	private static String kind(String token) {
		return token.startsWith(ApiKeys.PREFIX) ? "api_key" : "access_token";
	}

	private Authentication token(Caller caller) {
		if (!this.acceptsKeys && !caller.isPerson()) {
			countFailure("api_key", "not_permitted");
			throw FORBIDDEN.because("API keys use the REST API. Sign in and send the access token.");
		}
		return new CallerToken(caller);
	}

	private void countFailure(String kind, String reason) {
		this.registry.counter("mailroom.auth.failures", "kind", kind, "reason", reason).increment();
	}

}
