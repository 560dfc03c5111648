package dev.mailroom.admin.security;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CorsSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.FormLoginSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.HeaderSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.HttpBasicSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.LogoutSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.RequestCacheSpec;
import org.springframework.security.oauth2.server.resource.web.server.authentication.ServerBearerTokenAuthenticationConverter;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.authentication.ServerAuthenticationEntryPointFailureHandler;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;

/**
 * The security filter chain. It authenticates the bearer token of a request that has one;
 * each field of the schema decides what it requires. There are no sessions. The refresh
 * cookie is protected against forged requests by {@code SameSite}, the content type and
 * the origin check of the GraphQL endpoint.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class Security {

	private static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	@Bean
	SecurityWebFilterChain chain(ServerHttpSecurity http, BearerAuthentication authentication, HttpErrors errors) {
		return http.csrf(CsrfSpec::disable)
			.cors(CorsSpec::disable)
			.httpBasic(HttpBasicSpec::disable)
			.formLogin(FormLoginSpec::disable)
			.logout(LogoutSpec::disable)
			.requestCache(RequestCacheSpec::disable)
			.headers(HeaderSpec::disable)
			.securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
			.addFilterAt(bearer(authentication, errors), SecurityWebFiltersOrder.AUTHENTICATION)
			.authorizeExchange((routes) -> routes.anyExchange().permitAll())
			.build();
	}

	/** The message is the same for all invalid credentials. */
	private static Refused unauthorized() {
		return UNAUTHORIZED.because("Send a valid access token as Authorization: Bearer <token>.");
	}

	private static AuthenticationWebFilter bearer(BearerAuthentication authentication, HttpErrors errors) {
		AuthenticationWebFilter filter = new AuthenticationWebFilter(authentication);
		filter.setServerAuthenticationConverter(new ServerBearerTokenAuthenticationConverter());
		filter.setAuthenticationFailureHandler(new ServerAuthenticationEntryPointFailureHandler(
				(exchange, _) -> errors.write(exchange, unauthorized())));
		filter.setSecurityContextRepository(NoOpServerSecurityContextRepository.getInstance());
		return filter;
	}

}
