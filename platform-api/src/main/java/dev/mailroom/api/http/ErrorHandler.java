package dev.mailroom.api.http;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Takes every error: behind the request's id, before the framework has written the path
 * and the query into its trace; and what is thrown outside of that, before Boot's own
 * handler would show its body.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class ErrorHandler implements WebFilter, WebExceptionHandler {

	private final ErrorWriter writer;

	ErrorHandler(ErrorWriter writer) {
		this.writer = writer;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return chain.filter(exchange).onErrorResume((error) -> handle(exchange, error));
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
		return this.writer.write(exchange, error);
	}

}
