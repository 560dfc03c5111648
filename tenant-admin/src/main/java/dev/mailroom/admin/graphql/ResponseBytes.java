package dev.mailroom.admin.graphql;

import java.util.UUID;

import dev.mailroom.http.MemoryPool;
import dev.mailroom.http.ResponseMemory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Limits the total size of the GraphQL responses that wait for their clients. */
@Component
@Order(0)
class ResponseBytes implements WebFilter {

	private static final PathPattern PATH = PathPatternParser.defaultInstance.parse("/graphql");

	private final ResponseMemory memory;

	ResponseBytes(@Value("${mailroom.in-flight-bytes}") long maxBytes) {
		this.memory = new ResponseMemory(maxBytes);
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!PATH.matches(exchange.getRequest().getPath().pathWithinApplication())) {
			return chain.filter(exchange);
		}
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.defaultIfEmpty(MemoryPool.PUBLIC)
			.flatMap((owner) -> this.memory.filter(exchange, chain, owner, 0));
	}

}
