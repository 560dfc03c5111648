package dev.mailroom.api.http;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Reads the body of a request with an Idempotency-Key, hashes it, and passes the same
 * bytes on to the route. Runs after authentication, because no unauthenticated body may
 * be read.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
class IdempotencyFilter implements WebFilter {

	static final String HEADER = "Idempotency-Key";

	static final String REPLAYED = "Idempotency-Replayed";

	static final String BODY_HASH = IdempotencyFilter.class.getName();

	/** The limit of every body. */
	private static final int MAX_BYTES = (int) DataSize.ofMegabytes(25).toBytes();

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		if (!request.getMethod().equals(HttpMethod.POST) || !request.getHeaders().containsHeader(HEADER)) {
			return chain.filter(exchange);
		}
		return DataBufferUtils.join(request.getBody(), MAX_BYTES)
			.map(IdempotencyFilter::bytes)
			.defaultIfEmpty(new byte[0])
			.flatMap((body) -> {
				exchange.getAttributes().put(BODY_HASH, CanonicalJson.hash(body));
				return chain.filter(exchange.mutate().request(withBody(exchange, body)).build());
			});
	}

	private static byte[] bytes(DataBuffer buffer) {
		try {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			return bytes;
		}
		finally {
			DataBufferUtils.release(buffer);
		}
	}

	private static ServerHttpRequest withBody(ServerWebExchange exchange, byte[] body) {
		return new ServerHttpRequestDecorator(exchange.getRequest()) {
			@Override
			public Flux<DataBuffer> getBody() {
				return (body.length == 0) ? Flux.empty() : Flux.just(exchange.getResponse().bufferFactory().wrap(body));
			}
		};
	}

}
