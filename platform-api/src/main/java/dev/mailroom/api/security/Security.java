package dev.mailroom.api.security;

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
	SecurityWebFilterChain chain(ServerHttpSecurity http, BearerAuthentication authentication,
			SecurityResponses responses, CrossOrigin origins, CorsSettings cors) {
		return http.csrf(CsrfSpec::disable)
			.httpBasic(HttpBasicSpec::disable)
			.formLogin(FormLoginSpec::disable)
			.logout(LogoutSpec::disable)
			.requestCache(RequestCacheSpec::disable)
			.headers(HeaderSpec::disable)
			.cors((spec) -> cors(spec, origins, cors))
			.securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
			.addFilterAt(bearer(authentication, responses), SecurityWebFiltersOrder.AUTHENTICATION)
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

	private static AuthenticationWebFilter bearer(BearerAuthentication authentication, SecurityResponses responses) {
		AuthenticationWebFilter filter = new AuthenticationWebFilter(authentication);
		filter.setServerAuthenticationConverter(new ServerBearerTokenAuthenticationConverter());
		filter.setRequiresAuthenticationMatcher(new NegatedServerWebExchangeMatcher(Routes.open()));
		filter.setAuthenticationFailureHandler(new ServerAuthenticationEntryPointFailureHandler(responses));
		filter.setSecurityContextRepository(NoOpServerSecurityContextRepository.getInstance());
		return filter;
	}

}
