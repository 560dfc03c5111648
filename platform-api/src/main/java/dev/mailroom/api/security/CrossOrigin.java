package dev.mailroom.api.security;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.server.ServerWebExchange;

/**
 * CORS rules for the configured origins. Responses to other origins carry no CORS
 * headers, and browsers do not give them to the page.
 */
@Component
class CrossOrigin implements CorsConfigurationSource {

	private final CorsConfiguration rules = new CorsConfiguration();

	CrossOrigin(CorsSettings settings) {
		this.rules.setAllowedOrigins(settings.origins());
		this.rules.setAllowedMethods(List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"));
		this.rules.setAllowedHeaders(
				List.of("Api-Version", "Authorization", "Content-Type", "Idempotency-Key", "X-Request-Id"));
		this.rules.setExposedHeaders(List.of("Api-Version", "X-Request-Id", "Retry-After", "Idempotency-Replayed",
				"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy", "RateLimit",
				"Deprecation", "Sunset", "Link"));
		this.rules.setMaxAge(Duration.ofHours(1));
	}

	@Override
	public @Nullable CorsConfiguration getCorsConfiguration(ServerWebExchange exchange) {
		@Nullable String origin = exchange.getRequest().getHeaders().getOrigin();
		List<String> allowed = this.rules.getAllowedOrigins();
		return (origin != null && allowed != null && allowed.contains(origin)) ? this.rules : null;
	}

}
