package dev.mailroom.admin.email;

import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.http.BodyMemory;
import dev.mailroom.http.MemoryOwner;
import dev.mailroom.http.PendingResponse;
import dev.mailroom.secret.Stamp;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.server.ServerWebExchange;

/**
 * Response to a signed URL. It is the same, 404, for forged and expired URLs and for
 * missing objects; its content counts as memory of the account until it has been sent.
 */
@Component
class SignedResponse {

	private final Stamp stamp;

	private final Clock clock;

	private final BodyMemory memory;

	SignedResponse(Stamp stamp, Clock clock, BodyMemory memory) {
		this.stamp = stamp;
		this.clock = clock;
		this.memory = memory;
	}

	/** The token of a URL, unless it is forged or expired. */
	Optional<PreviewToken> parse(String token) {
		return PreviewToken.parse(token, this.stamp, this.clock.instant());
	}

	/** Sends the object of a URL; a missing one is an empty result. */
	Mono<Void> send(String token, ServerWebExchange exchange, Function<PreviewToken, Mono<Body>> find) {
		return parse(token).map((it) -> send(it.account(), exchange, find.apply(it)))
			.orElseGet(() -> end(exchange, HttpStatus.NOT_FOUND));
	}

	private Mono<Void> send(UUID account, ServerWebExchange exchange, Mono<Body> find) {
		return receive(account, exchange, DataSize.ofBytes(0),
				(hold) -> Mono.fromRunnable(hold::expectContent)
					.then(find)
					.doOnNext((content) -> hold.resize(content.bytes().length))
					.map((content) -> write(content, exchange.getResponse()))
					.defaultIfEmpty(end(exchange, HttpStatus.NOT_FOUND))
					.flatMap(Function.identity()));
	}

	/**
	 * Handles a request with memory that is returned when its response has been sent.
	 * @param maxBody largest body of the request
	 */
	Mono<Void> receive(UUID account, ServerWebExchange exchange, DataSize maxBody,
			Function<BodyMemory.Hold, Mono<Void>> work) {
		return Mono.defer(() -> {
			BodyMemory.Hold hold = this.memory.hold(MemoryOwner.of(account), maxBody);
			return work.apply(hold).doFinally((_) -> PendingResponse.whenSent(exchange.getRequest(), hold::release));
		});
	}

	private static Mono<Void> write(Body content, ServerHttpResponse response) {
		response.getHeaders().putAll(content.headers());
		response.getHeaders().setContentLength(content.bytes().length);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(content.bytes())));
	}

	/** A response without a body. */
	static Mono<Void> end(ServerWebExchange exchange, HttpStatus status) {
		return Mono.defer(() -> {
			exchange.getResponse().setStatusCode(status);
			return exchange.getResponse().setComplete();
		});
	}

	/**
	 * Body with its headers.
	 *
	 * @param headers all but the length
	 * @param bytes the body
	 */
	record Body(HttpHeaders headers, byte[] bytes) {
	}

}
