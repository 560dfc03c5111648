package dev.mailroom.api.http;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.http.ArrivalRate;
import dev.mailroom.http.MemoryPool;
import io.netty.handler.timeout.ReadTimeoutException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Limits the size of each request body, and the total size of the bodies that an instance
 * holds until their responses are complete. Bytes count when they arrive, not when they
 * are announced. Requests beyond the limit get 503 with a Retry-After header. Runs after
 * authentication and rate limits.
 */
@Component
@Order(2)
public class InFlightBytes implements WebFilter {

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final Refusal TOO_LARGE = new Refusal(Refusal.Kind.TOO_LARGE, "Payload too large");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private static final DataSize MAX_BODY = DataSize.ofMegabytes(25);

	/** Limit on a body without a credential: that of a sign-in or an unsubscription. */
	private static final DataSize MAX_PUBLIC_BODY = DataSize.ofKilobytes(16);

	private static final PathPattern IMPORT = PathPatternParser.defaultInstance
		.parse("/api/contact-books/{book}/contacts/import");

	private final MemoryPool pool;

	private final Duration readTimeout;

	InFlightBytes(MemorySettings settings, @Value("${mailroom.http.read-timeout}") Duration readTimeout) {
		this.readTimeout = readTimeout;
		this.pool = new MemoryPool(settings.inFlightBytes());
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!hasBody(exchange.getRequest().getHeaders()) || isStreamed(exchange.getRequest())) {
			return chain.filter(exchange);
		}
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.defaultIfEmpty(MemoryPool.PUBLIC)
			.flatMap((owner) -> filter(exchange, chain, owner));
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, UUID owner) {
		Hold hold = new Hold(owner, owner.equals(MemoryPool.PUBLIC) ? MAX_PUBLIC_BODY : MAX_BODY);
		hold.requirePermitted(exchange.getRequest().getHeaders().getContentLength());
		return chain.filter(exchange.mutate().request(counted(exchange.getRequest(), hold)).build())
			.doFinally((_) -> hold.release());
	}

	/** The memory of a request, none before its body arrives. */
	public Hold hold(UUID account) {
		return new Hold(account, MAX_BODY);
	}

	private static boolean hasBody(HttpHeaders headers) {
		return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
	}

	/**
	 * Whether the body is processed in pieces: an import, unless it has an
	 * Idempotency-Key, which requires the whole body for comparison.
	 */
	private static boolean isStreamed(ServerHttpRequest request) {
		return HttpMethod.POST.equals(request.getMethod()) && !request.getHeaders().containsHeader("Idempotency-Key")
				&& IMPORT.matches(request.getPath().pathWithinApplication());
	}

	private static ServerHttpRequest counted(ServerHttpRequest request, Hold hold) {
		return new ServerHttpRequestDecorator(request) {
			@Override
			public Flux<DataBuffer> getBody() {
				return hold.counted(super.getBody());
			}
		};
	}

	/** The bytes of one request. */
	public final class Hold {

		private final UUID owner;

		private final DataSize maxBody;

		private final ArrivalRate rate = ArrivalRate.from(InFlightBytes.this.readTimeout);

		private long reserved;

		private Hold(UUID owner, DataSize maxBody) {
			this.owner = owner;
			this.maxBody = maxBody;
		}

		/**
		 * The body, whose bytes are reserved as they arrive. It ends with {@code Service
		 * unavailable} if there is not enough memory, and with a
		 * {@code ReadTimeoutException} if it arrives too slowly.
		 */
		public Flux<DataBuffer> counted(Flux<DataBuffer> body) {
			return body.doOnNext(this::read).doOnDiscard(DataBuffer.class, DataBufferUtils::release);
		}

		private void read(DataBuffer buffer) {
			try {
				this.rate.count(buffer.readableByteCount());
				requirePermitted(this.reserved + buffer.readableByteCount());
				if (!reserve(buffer.readableByteCount())) {
					throw FULL
						.because("The requests in progress use all memory for request bodies; nothing of this request "
								+ "was processed, send it again shortly")
						.retryAfter(RETRY_AFTER);
				}
			}
			catch (Refused | ReadTimeoutException ex) {
				DataBufferUtils.release(buffer);
				throw ex;
			}
		}

		private void requirePermitted(long length) {
			if (length > this.maxBody.toBytes()) {
				throw TOO_LARGE.because("The body of this request may have at most " + (this.maxBody.equals(MAX_BODY)
						? this.maxBody.toMegabytes() + " MB" : this.maxBody.toKilobytes() + " KB"));
			}
		}

		private boolean reserve(long bytes) {
			boolean available = InFlightBytes.this.pool.reserve(this.owner, bytes);
			this.reserved += available ? bytes : 0;
			return available;
		}

		/** Releases the memory; a second call has no effect. */
		public void release() {
			InFlightBytes.this.pool.release(this.owner, this.reserved);
			this.reserved = 0;
		}

	}

}
