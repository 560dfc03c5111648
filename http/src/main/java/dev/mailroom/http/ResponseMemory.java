package dev.mailroom.http;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

/**
 * Memory of the responses of an app that wait for their clients. An account whose
 * responses are not read gets 503 with a Retry-After header for further ones. Streamed
 * responses are not counted, because few of their bytes are in memory at a time.
 */
public final class ResponseMemory {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private final MemoryPool pool;

	/** Creates the memory with its size in bytes, of which an account may use half. */
	public ResponseMemory(long maxBytes) {
		this.pool = new MemoryPool(maxBytes);
	}

	/**
	 * Handles a request and counts the bytes of its response as its owner's until its
	 * client has been sent all of them.
	 * @param expectedBytes the bytes to reserve until the size of the response is known
	 */
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, UUID owner, long expectedBytes) {
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
				ResponseMemory.this.pool.release(this.owner, -more);
			}
			else if (!ResponseMemory.this.pool.reserve(this.owner, more)) {
				throw FULL.because("Earlier responses of this account wait to be read; read them, or ask again shortly")
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
