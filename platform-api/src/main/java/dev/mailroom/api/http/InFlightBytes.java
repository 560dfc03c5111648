package dev.mailroom.api.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
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
 * Bounds how much of all requests' bodies an instance holds at a time, from their first
 * byte to their answer: whoever comes when it is full is told to come again, rather than
 * everybody lost when the memory ends. Behind the credentials and the rate.
 */
@Component
@Order(2)
class InFlightBytes implements WebFilter {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Duration SOON = Duration.ofSeconds(1);

	private final long most;

	private final AtomicLong held = new AtomicLong();

	InFlightBytes(HttpSettings settings) {
		this.most = settings.inFlightBytes();
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
			catch (Refused full) {
				hold.release();
				throw full;
			}
			return chain.filter(exchange.mutate().request(counted(exchange.getRequest(), hold)).build())
				.doFinally((_) -> hold.release());
		});
	}

	/**
	 * An import lets go of each piece of its file before it takes the next; with an
	 * Idempotency-Key it is held whole, for its key needs all of it.
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
	 * What one request holds: as much as it announced, or has sent where that is more.
	 */
	private final class Hold {

		private long reserved;

		private long read;

		void read(DataBuffer buffer) {
			this.read += buffer.readableByteCount();
			if (this.read > this.reserved) {
				try {
					reserve(this.read - this.reserved);
				}
				catch (Refused full) {
					DataBufferUtils.release(buffer);
					throw full;
				}
			}
		}

		void reserve(long bytes) {
			this.reserved += bytes;
			if (InFlightBytes.this.held.addAndGet(bytes) > InFlightBytes.this.most) {
				throw FULL
					.because("This instance is at work on as many bytes of requests as it takes; nothing of "
							+ "this request was kept, send it again shortly")
					.retryAfter(SOON);
			}
		}

		void release() {
			InFlightBytes.this.held.addAndGet(-this.reserved);
			this.reserved = 0;
		}

	}

}
