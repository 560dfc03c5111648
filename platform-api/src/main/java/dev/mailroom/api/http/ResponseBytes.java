package dev.mailroom.api.http;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.http.MemoryPool;
import dev.mailroom.http.ResponseMemory;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Limits the total size of the responses to GET that wait for their clients. */
@Component
@Order(3)
class ResponseBytes implements WebFilter {

	/** Memory reserved for a large response until its size is known. */
	private static final long EXPECTED_BYTES = 8 * 1024 * 1024;

	private static final List<PathPattern> LARGE = Stream
		.of("/api/templates", "/api/inbound/{id}", "/api/inbound/{id}/raw", "/api/inbound/{id}/attachments/{n}")
		.map(PathPatternParser.defaultInstance::parse)
		.toList();

	private final ResponseMemory memory;

	ResponseBytes(MemorySettings settings) {
		this.memory = new ResponseMemory(settings.inFlightBytes());
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!HttpMethod.GET.equals(exchange.getRequest().getMethod())) {
			return chain.filter(exchange);
		}
		long expectedBytes = isLarge(exchange.getRequest()) ? EXPECTED_BYTES : 0;
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.defaultIfEmpty(MemoryPool.PUBLIC)
			.flatMap((owner) -> this.memory.filter(exchange, chain, owner, expectedBytes));
	}

	private static boolean isLarge(ServerHttpRequest request) {
		return LARGE.stream().anyMatch((route) -> route.matches(request.getPath().pathWithinApplication()));
	}

}
