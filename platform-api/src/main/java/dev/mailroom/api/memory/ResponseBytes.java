package dev.mailroom.api.memory;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.observability.connection.MemoryPool;
import dev.mailroom.observability.connection.PendingResponse;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
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
 * Limits the total size of the responses that wait for their clients. An account whose
 * responses are not read gets 503 with a Retry-After header for further ones. Streamed
 * responses are not counted, because few of their bytes are in memory at a time.
 */
@Component
@Order(3)
class ResponseBytes implements WebFilter {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	/** Memory reserved for a large response until its size is known. */
	private static final long EXPECTED_BYTES = 8 * 1024 * 1024;

	private static final List<PathPattern> LARGE = Stream
		.of("/api/templates", "/api/inbound/{id}", "/api/inbound/{id}/raw", "/api/inbound/{id}/attachments/{n}")
		.map(PathPatternParser.defaultInstance::parse)
		.toList();

	private final MemoryPool pool;

	ResponseBytes(MemorySettings settings) {
		this.pool = new MemoryPool(settings.inFlightBytes());
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!HttpMethod.GET.equals(exchange.getRequest().getMethod())) {
			return chain.filter(exchange);
		}
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.defaultIfEmpty(MemoryPool.PUBLIC)
			.flatMap((owner) -> filter(exchange, chain, owner));
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, UUID owner) {
		Hold hold = new Hold(owner, isLarge(exchange.getRequest()) ? EXPECTED_BYTES : 0);
		return chain.filter(exchange.mutate().response(counted(exchange.getResponse(), hold)).build())
			.doFinally((_) -> PendingResponse.whenSent(exchange.getRequest(), hold::release));
	}

	private static boolean isLarge(ServerHttpRequest request) {
		return LARGE.stream().anyMatch((route) -> route.matches(request.getPath().pathWithinApplication()));
	}

	private static ServerHttpResponse counted(ServerHttpResponse response, Hold hold) {
		return new ServerHttpResponseDecorator(response) {
			@Override
			public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
				return super.writeWith(
						(body instanceof Mono<? extends DataBuffer> whole) ? whole.doOnNext(hold::set) : body);
			}
		};
	}

	/** The bytes of one response. */
	private final class Hold {

		private final UUID owner;

		private long held;

		Hold(UUID owner, long expected) {
			this.owner = owner;
			reserve(expected);
		}

		/**
		 * Reserves the actual size of a response, which is discarded if there is not
		 * enough memory.
		 */
		void set(DataBuffer response) {
			try {
				reserve(response.readableByteCount());
			}
			catch (Refused refused) {
				DataBufferUtils.release(response);
				throw refused;
			}
		}

		private void reserve(long bytes) {
			long more = bytes - this.held;
			if (more < 0) {
				ResponseBytes.this.pool.release(this.owner, -more);
			}
			else if (!ResponseBytes.this.pool.reserve(this.owner, more)) {
				throw FULL.because("Earlier responses of this account wait to be read; read them, or ask again shortly")
					.retryAfter(RETRY_AFTER);
			}
			this.held = bytes;
		}

		void release() {
			ResponseBytes.this.pool.release(this.owner, this.held);
			this.held = 0;
		}

	}

}
