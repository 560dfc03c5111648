package dev.mailroom.api.http;

import dev.mailroom.http.ErrorWriter;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Handles all errors. As a filter it runs after the request id is set and before the
 * framework adds the path and query to the stack trace; as a handler it replaces the
 * error body of Spring Boot.
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
