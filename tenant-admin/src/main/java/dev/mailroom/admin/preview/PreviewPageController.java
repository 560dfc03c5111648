package dev.mailroom.admin.preview;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.admin.limit.BodyMemory;
import dev.mailroom.observability.connection.PendingResponse;
import dev.mailroom.seal.Stamp;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Serves the HTML of mails in a sandbox: no scripts, no requests to other servers, and
 * only in frames of this origin.
 */
@RestController
class PreviewPageController {

	private static final String POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; "
			+ "img-src 'self' data:; frame-ancestors 'self'";

	private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

	/**
	 * Rendered content has at most 2 Mi characters, of which few have more than two
	 * bytes.
	 */
	private static final int MAX_DRAFT_BYTES = 4 * 1024 * 1024;

	private final PreviewContent content;

	private final Stamp stamp;

	private final Clock clock;

	private final BodyMemory memory;

	PreviewPageController(PreviewContent content, Stamp stamp, Clock clock, BodyMemory memory) {
		this.memory = memory;
		this.content = content;
		this.stamp = stamp;
		this.clock = clock;
	}

	/** The response is the same for forged and expired URLs and for missing objects. */
	@GetMapping("/preview/{token}")
	Mono<Void> preview(@PathVariable String token, ServerWebExchange exchange) {
		return Mono.justOrEmpty(PreviewToken.parse(token, this.stamp, this.clock.instant()))
			.map((it) -> stored(it, exchange))
			.defaultIfEmpty(Mono.defer(() -> end(exchange.getResponse(), HttpStatus.NOT_FOUND)))
			.flatMap(Function.identity());
	}

	private Mono<Void> stored(PreviewToken token, ServerWebExchange exchange) {
		ServerHttpResponse response = exchange.getResponse();
		BodyMemory.Hold hold = this.memory.hold(token.account());
		return Mono.fromRunnable(hold::expectContent)
			.then(this.content.find(Scope.of(token.account()), token.kind(), token.id())
				.onErrorResume(Refused.class, (_) -> Mono.empty()))
			.map((html) -> html.getBytes(StandardCharsets.UTF_8))
			.doOnNext((html) -> hold.resize(html.length))
			.map((html) -> sandboxed(response, response.bufferFactory().wrap(html)))
			.defaultIfEmpty(Mono.defer(() -> end(response, HttpStatus.NOT_FOUND)))
			.flatMap(Function.identity())
			.doFinally((_) -> PendingResponse.whenSent(exchange.getRequest(), hold::release));
	}

	/**
	 * Shows HTML that the page posts, because content that is not saved has no URL. Posts
	 * of other sites and outside of frames are refused.
	 */
	@PostMapping("/preview/{token}")
	Mono<Void> draft(@PathVariable String token, ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		Optional<PreviewToken> draft = PreviewToken.parse(token, this.stamp, this.clock.instant())
			.filter((it) -> it.kind() == PreviewToken.Kind.DRAFT && isOwnFrame(request.getHeaders()));
		return draft.isEmpty() ? end(exchange.getResponse(), HttpStatus.NOT_FOUND)
				: echo(request, exchange.getResponse(), this.memory.hold(draft.get().account()));
	}

	private static Mono<Void> echo(ServerHttpRequest request, ServerHttpResponse response, BodyMemory.Hold hold) {
		Flux<DataBuffer> arriving = request.getBody()
			.doOnNext(hold::add)
			.doOnDiscard(DataBuffer.class, DataBufferUtils::release);
		return DataBufferUtils.join(arriving, MAX_DRAFT_BYTES)
			.flatMap((form) -> sandboxed(response, value(form)))
			.onErrorResume(DataBufferLimitException.class, (_) -> end(response, HttpStatus.CONTENT_TOO_LARGE))
			.doFinally((_) -> PendingResponse.whenSent(request, hold::release));
	}

	private static Mono<Void> sandboxed(ServerHttpResponse response, DataBuffer html) {
		response.getHeaders().setContentType(HTML);
		response.getHeaders().setContentLength(html.readableByteCount());
		response.getHeaders().set("Content-Security-Policy", POLICY);
		return response.writeWith(Mono.just(html));
	}

	private static Mono<Void> end(ServerHttpResponse response, HttpStatus status) {
		response.setStatusCode(status);
		return response.setComplete();
	}

	/** Whether a form of this origin posts into a frame, where the browser says so. */
	private static boolean isOwnFrame(HttpHeaders headers) {
		return headers.getOrDefault("Sec-Fetch-Site", List.of("same-origin")).contains("same-origin")
				&& headers.getOrDefault("Sec-Fetch-Dest", List.of("iframe")).contains("iframe");
	}

	/** The value of the only field of a form in text/plain. */
	private static DataBuffer value(DataBuffer form) {
		int separator = form.indexOf((character) -> character == '=', form.readPosition());
		return form.readPosition((separator < 0) ? form.readPosition() : separator + 1);
	}

}
