package dev.mailroom.admin.security;

import dev.mailroom.account.Authenticator;
import dev.mailroom.http.BearerAuthentication;
import dev.mailroom.http.CallerToken;
import dev.mailroom.http.ErrorConversion;
import dev.mailroom.http.ErrorWriter;
import dev.mailroom.http.Faults;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CorsSpec;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

/**
 * The security filter chain. It authenticates the bearer token of a request that has one;
 * each field of the schema decides what it requires. There are no sessions. The refresh
 * cookie is protected against forged requests by {@code SameSite}, the content type and
 * the origin check of the GraphQL endpoint.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class Security {

	@Bean
	SecurityWebFilterChain chain(ServerHttpSecurity http, Authenticator authenticator, MeterRegistry registry,
			ErrorWriter errors) {
		return new BearerAuthentication(authenticator, registry, false)
			.addTo(http, ServerWebExchangeMatchers.anyExchange(),
					(exchange, _) -> errors.write(exchange, CallerToken.missing()))
			.cors(CorsSpec::disable)
			.authorizeExchange((routes) -> routes.anyExchange().permitAll())
			.build();
	}

	/** Exceptions of the framework have its own responses. */
	@Bean
	ErrorConversion errorConversion() {
		return (_, error) -> Faults.of(error);
	}

}
