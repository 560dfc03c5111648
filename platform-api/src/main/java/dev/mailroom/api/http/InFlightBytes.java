package dev.mailroom.api.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Limits the total size of the request bodies that an instance holds until their
 * responses are complete. Further requests get 503 with a Retry-After header, so that the
 * instance does not run out of memory. Runs after authentication and rate limits.
 */
@Component
@Order(2)
public class InFlightBytes implements WebFilter {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private final long maxBytes;

	private final AtomicLong heldBytes = new AtomicLong();

	InFlightBytes(HttpSettings settings) {
		this.maxBytes = settings.inFlightBytes();
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (isStreamed(exchange.getRequest())) {
			return chain.filter(exchange);
		}
		return Mono.defer(() -> {
			long announced = Math.max(0, exchange.getRequest().getHeaders().getContentLength());
			Hold hold = new Hold();
			try {
				hold.reserve(announced);
			}
			catch (Refused refused) {
				hold.release();
				throw refused;
			}
			return chain.filter(exchange.mutate().request(counted(exchange.getRequest(), hold)).build())
				.doFinally((_) -> hold.release());
		});
	}

	/**
	 * Reserves memory for a body of known length.
	 * @return null if there is not enough
	 */
	public @Nullable Hold hold(long bytes) {
		Hold hold = new Hold();
		try {
			hold.reserve(bytes);
			return hold;
		}
		catch (Refused _) {
			hold.release();
			return null;
		}
	}

	/**
	 * Whether the body is processed in pieces: an import, unless it has an
	 * Idempotency-Key, which requires the whole body for comparison.
	 */
	private static boolean isStreamed(ServerHttpRequest request) {
		return request.getPath().pathWithinApplication().value().endsWith("/contacts/import")
				&& !request.getHeaders().containsHeader("Idempotency-Key");
	}

	private static ServerHttpRequest counted(ServerHttpRequest request, Hold hold) {
		return new ServerHttpRequestDecorator(request) {
			@Override
			public Flux<DataBuffer> getBody() {
				return super.getBody().doOnNext(hold::read).doOnDiscard(DataBuffer.class, DataBufferUtils::release);
			}
		};
	}

	/**
	 * The bytes reserved for one request: its Content-Length, or the received bytes if
	 * these are more.
	 */
	public final class Hold {

		private long reserved;

		private long read;

		private Hold() {
		}

		void read(DataBuffer buffer) {
			this.read += buffer.readableByteCount();
			if (this.read > this.reserved) {
				try {
					reserve(this.read - this.reserved);
				}
				catch (Refused refused) {
					DataBufferUtils.release(buffer);
					throw refused;
				}
			}
		}

		void reserve(long bytes) {
			this.reserved += bytes;
			if (InFlightBytes.this.heldBytes.addAndGet(bytes) > InFlightBytes.this.maxBytes) {
				throw FULL
					.because("The requests in progress use all memory for request bodies; nothing of this request "
							+ "was processed, send it again shortly")
					.retryAfter(RETRY_AFTER);
			}
		}

		/** Releases the memory; a second call has no effect. */
		public void release() {
			InFlightBytes.this.heldBytes.addAndGet(-this.reserved);
			this.reserved = 0;
		}

	}

}
