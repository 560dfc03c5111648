package dev.mailroom.admin.security;

import dev.mailroom.http.ErrorWriter;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Writes errors that precede GraphQL in the error format of the REST API. Unknown paths
 * keep the framework's response.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class HttpErrors implements WebFilter {

	private final ErrorWriter writer;

	HttpErrors(ErrorWriter writer) {
		this.writer = writer;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return chain.filter(exchange)
			.onErrorResume((error) -> !(error instanceof ResponseStatusException),
					(error) -> this.writer.write(exchange, error));
	}

}
