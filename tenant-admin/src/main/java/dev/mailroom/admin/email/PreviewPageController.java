package dev.mailroom.admin.email;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.http.BodyMemory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Serves the HTML of mails in a sandbox: no scripts, no requests to other servers than
 * that of images of accounts, and only in frames of this origin.
 */
@RestController
class PreviewPageController {

	private static final String POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; "
			+ "img-src 'self' data: %s/image/; frame-ancestors 'self'";

	private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

	/**
	 * Rendered content has at most 2 Mi characters, of which few have more than two
	 * bytes.
	 */
	private static final DataSize MAX_DRAFT = DataSize.ofMegabytes(4);

	private final SignedResponse responses;

	private final PreviewContent content;

	private final String policy;

	PreviewPageController(SignedResponse responses, PreviewContent content,
			@Value("${mailroom.public-url}") String publicUrl) {
		this.policy = POLICY.formatted(publicUrl);
		this.responses = responses;
		this.content = content;
	}

	@GetMapping("/preview/{token}")
	Mono<Void> preview(@PathVariable String token, ServerWebExchange exchange) {
		return this.responses.send(token, exchange,
				(it) -> this.content.find(Scope.of(it.account()), it.kind(), it.id())
					.onErrorResume(Refused.class, (_) -> Mono.empty())
					.map((html) -> new SignedResponse.Body(headers(), html.getBytes(StandardCharsets.UTF_8))));
	}

	/**
	 * Shows HTML that the page posts, because content that is not saved has no URL. Posts
	 * of other sites and outside of frames are refused.
	 */
	@PostMapping("/preview/{token}")
	Mono<Void> draft(@PathVariable String token, ServerWebExchange exchange) {
		return this.responses.parse(token)
			.filter((it) -> it.kind() == PreviewToken.Kind.DRAFT && isOwnFrame(exchange.getRequest().getHeaders()))
			.map((it) -> this.responses.receive(it.account(), exchange, MAX_DRAFT, (hold) -> echo(exchange, hold)))
			.orElseGet(() -> SignedResponse.end(exchange, HttpStatus.NOT_FOUND));
	}

	private Mono<Void> echo(ServerWebExchange exchange, BodyMemory.Hold hold) {
		return DataBufferUtils.join(hold.counted(exchange.getRequest().getBody()))
			.flatMap((form) -> write(exchange.getResponse(), value(form)));
	}

	private Mono<Void> write(ServerHttpResponse response, DataBuffer html) {
		response.getHeaders().putAll(headers());
		response.getHeaders().setContentLength(html.readableByteCount());
		return response.writeWith(Mono.just(html));
	}

	private HttpHeaders headers() {
		HttpHeaders headers = new HttpHeaders();
		headers.setContentType(HTML);
		headers.set("Content-Security-Policy", this.policy);
		return headers;
	}

	/**
	 * Whether a form of this origin posts into a frame, if the browser sends these
	 * headers.
	 */
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
