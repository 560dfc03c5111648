package dev.mailroom.admin.webapp;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/** Adds security headers to all responses. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class SecurityHeaders implements WebFilter {

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		HttpHeaders headers = exchange.getResponse().getHeaders();
		headers.set("X-Content-Type-Options", "nosniff");
		headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
		headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
		headers.set("Referrer-Policy", "no-referrer");
		headers.setCacheControl("no-store");
		return chain.filter(exchange);
	}

}
