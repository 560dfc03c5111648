package dev.mailroom.api.http;

import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/** Takes every error before Boot's own handler would show its body. */
@Component
@Order(-2)
class ErrorHandler implements WebExceptionHandler {

	private final ErrorWriter writer;

	ErrorHandler(ErrorWriter writer) {
		this.writer = writer;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
		return this.writer.write(exchange, error);
	}

}
