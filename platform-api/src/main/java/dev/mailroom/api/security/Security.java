package dev.mailroom.api.security;

import dev.mailroom.account.Authenticator;
import dev.mailroom.http.BearerAuthentication;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CorsSpec;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.firewall.StrictServerWebExchangeFirewall;
import org.springframework.security.web.server.util.matcher.NegatedServerWebExchangeMatcher;

/**
 * The security filter chain of all routes. It uses neither sessions nor cookies, so that
 * cross-site request forgery is not possible.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class Security {

	@Bean
	SecurityWebFilterChain chain(ServerHttpSecurity http, Authenticator authenticator, MeterRegistry registry,
			SecurityResponses responses, CrossOrigin origins, CorsSettings cors) {
		return new BearerAuthentication(authenticator, registry, true)
			.addTo(http, new NegatedServerWebExchangeMatcher(Routes.open()), responses)
			.cors((spec) -> cors(spec, origins, cors))
			.authorizeExchange(Routes::rules)
			.exceptionHandling((errors) -> errors.authenticationEntryPoint(responses).accessDeniedHandler(responses))
			.build();
	}

	/**
	 * Accepts encoded characters in paths, which are then unknown ids. This is safe
	 * because the rules and the routes parse paths with the same parser.
	 */
	@Bean
	StrictServerWebExchangeFirewall firewall() {
		StrictServerWebExchangeFirewall firewall = new StrictServerWebExchangeFirewall();
		firewall.setAllowUrlEncodedSlash(true);
		firewall.setAllowUrlEncodedPeriod(true);
		firewall.setAllowUrlEncodedPercent(true);
		firewall.setAllowSemicolon(true);
		return firewall;
	}

	private static void cors(CorsSpec spec, CrossOrigin origins, CorsSettings settings) {
		if (settings.origins().isEmpty()) {
			spec.disable();
		}
		else {
			spec.configurationSource(origins);
		}
	}

}
