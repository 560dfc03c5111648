package dev.mailroom.admin.limit;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.observability.connection.MemoryPool;
import dev.mailroom.observability.connection.PendingResponse;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Limits the total size of the GraphQL responses of an instance that wait for their
 * clients, of which an account may use half. Streams are not counted, because few of
 * their bytes are in memory at a time.
 */
@Component
@Order(0)
class ResponseMemory implements WebFilter {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private static final PathPattern PATH = PathPatternParser.defaultInstance.parse("/graphql");

	private final MemoryPool pool;

	ResponseMemory(@Value("${mailroom.in-flight-bytes}") long maxBytes) {
		this.pool = new MemoryPool(maxBytes);
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
			.flatMap((owner) -> filter(exchange, chain, owner));
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, UUID owner) {
		Counted response = new Counted(exchange.getResponse(), owner);
		return chain.filter(exchange.mutate().response(response).build())
			.doFinally((_) -> PendingResponse.whenSent(exchange.getRequest(), response::release));
	}

	/** A response whose bytes are counted. */
	private final class Counted extends ServerHttpResponseDecorator {

		private final UUID owner;

		private long bytes;

		Counted(ServerHttpResponse response, UUID owner) {
			super(response);
			this.owner = owner;
		}

		@Override
		public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
			return super.writeWith(
					(body instanceof Mono<? extends DataBuffer> whole) ? whole.doOnNext(this::reserve) : body);
		}

		private void reserve(DataBuffer body) {
			long size = body.readableByteCount();
			if (!ResponseMemory.this.pool.reserve(this.owner, size)) {
				DataBufferUtils.release(body);
				throw refused();
			}
			this.bytes += size;
		}

		private void release() {
			ResponseMemory.this.pool.release(this.owner, this.bytes);
			this.bytes = 0;
		}

		private static Refused refused() {
			return FULL.because("Earlier responses of this account wait to be read; read them, or ask again shortly")
				.retryAfter(RETRY_AFTER);
		}

	}

}
