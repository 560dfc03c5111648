package dev.mailroom.api.http;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Encodes semicolons in paths, which then are ordinary characters instead of parameters
 * that routes ignore: a path has one spelling for its authorization, its limits and its
 * Idempotency-Key.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class PathText implements WebFilter {

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		String path = exchange.getRequest().getURI().getRawPath();
		if (path == null || path.indexOf(';') < 0) {
			return chain.filter(exchange);
		}
		ServerHttpRequest request = exchange.getRequest().mutate().path(path.replace(";", "%3B")).build();
		return chain.filter(exchange.mutate().request(request).build());
	}

}
