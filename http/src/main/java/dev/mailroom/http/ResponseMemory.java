package dev.mailroom.http;

import java.time.Duration;
import java.util.List;

import dev.mailroom.Bounded;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Memory of the responses that wait for their clients until all of their bytes have been
 * sent. An owner whose responses are not read gets 503 with a Retry-After header for
 * further ones. A streamed response counts with what is read ahead of its client; events
 * are not counted.
 */
@Component
@Order(3)
class ResponseMemory implements Bounded, WebFilter {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	/**
	 * The largest part of a stream that is in memory at a time: 128 buffers of 4 KB,
	 * which the server reads ahead of a client, and a page of contacts.
	 */
	private static final long STREAMED_BYTES = 1024 * 1024;

	private final MemoryPool pool;

	private final ResponseSizes sizes;

	ResponseMemory(MemorySettings settings, ResponseSizes sizes) {
		this.pool = new MemoryPool(settings.inFlightBytes());
		this.sizes = sizes;
	}

	@Override
	public List<Limit> limits() {
		return List.of(this.pool.limit("response_bytes"));
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		long expected = this.sizes.expected(exchange.getRequest());
		return (expected == ResponseSizes.UNCOUNTED) ? chain.filter(exchange)
				: MemoryOwner.of(exchange).flatMap((owner) -> filter(exchange, chain, owner, expected));
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, MemoryOwner owner, long expectedBytes) {
		return Mono.defer(() -> {
			Hold hold = new Hold(owner, expectedBytes);
			return chain.filter(exchange.mutate().response(counted(exchange.getResponse(), hold)).build())
				.doFinally((_) -> PendingResponse.whenSent(exchange.getRequest(), hold::release));
		});
	}

	private static ServerHttpResponse counted(ServerHttpResponse response, Hold hold) {
		return new ServerHttpResponseDecorator(response) {
			@Override
			public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
				return (body instanceof Mono<? extends DataBuffer> whole) ? super.writeWith(whole.doOnNext(hold::set))
						: Mono.fromRunnable(() -> hold.reserve(streamed(getHeaders()))).then(super.writeWith(body));
			}
		};
	}

	/** The bytes of a streamed response that are in memory, at most. */
	private static long streamed(HttpHeaders headers) {
		long length = headers.getContentLength();
		return (length < 0) ? STREAMED_BYTES : Math.min(length, STREAMED_BYTES);
	}

	/** The bytes of one response. */
	private final class Hold {

		private final MemoryOwner owner;

		private long held;

		Hold(MemoryOwner owner, long expected) {
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

		/** Reserves this size in place of the present one. */
		void reserve(long bytes) {
			long more = bytes - this.held;
			if (more < 0) {
				ResponseMemory.this.pool.release(this.owner, -more);
			}
			else if (!ResponseMemory.this.pool.reserve(this.owner, more)) {
				throw FULL.because("Earlier responses wait to be read; read them, or ask again shortly")
					.retryAfter(RETRY_AFTER);
			}
			this.held = bytes;
		}

		void release() {
			ResponseMemory.this.pool.release(this.owner, this.held);
			this.held = 0;
		}

	}

}
