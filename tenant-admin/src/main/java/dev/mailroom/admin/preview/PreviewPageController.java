package dev.mailroom.admin.preview;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.seal.Stamp;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the HTML of mails in a sandbox: no scripts, no requests to other servers, and
 * only in frames of this origin.
 */
@RestController
class PreviewPageController {

	private static final String POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; "
			+ "img-src 'self' data:; frame-ancestors 'self'";

	private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

	/** Rendered content has at most 2 Mi characters. */
	private static final int MAX_DRAFT_BYTES = 8 * 1024 * 1024;

	private final PreviewContent content;

	private final Stamp stamp;

	private final Clock clock;

	PreviewPageController(PreviewContent content, Stamp stamp, Clock clock) {
		this.content = content;
		this.stamp = stamp;
		this.clock = clock;
	}

	/** The response is the same for forged and expired URLs and for missing objects. */
	@GetMapping("/preview/{token}")
	Mono<ResponseEntity<String>> preview(@PathVariable String token) {
		return Mono.justOrEmpty(PreviewToken.parse(token, this.stamp, this.clock.instant()))
			.flatMap((it) -> this.content.find(Scope.of(it.account()), it.kind(), it.id()))
			.map(PreviewPageController::sandboxed)
			.onErrorResume(Refused.class, (_) -> Mono.empty())
			.switchIfEmpty(Mono.fromSupplier(() -> ResponseEntity.notFound().build()));
	}

	/**
	 * Shows HTML that the page posts, because content that is not saved has no URL. Posts
	 * of other sites and outside of frames are refused.
	 */
	@PostMapping("/preview/{token}")
	Mono<ResponseEntity<String>> draft(@PathVariable String token, ServerHttpRequest request) {
		if (!isOwnFrame(request.getHeaders()) || PreviewToken.parse(token, this.stamp, this.clock.instant())
			.filter((it) -> it.kind() == PreviewToken.Kind.DRAFT)
			.isEmpty()) {
			return Mono.just(ResponseEntity.notFound().build());
		}
		return DataBufferUtils.join(request.getBody(), MAX_DRAFT_BYTES)
			.map(PreviewPageController::field)
			.map(PreviewPageController::sandboxed)
			.onErrorResume(DataBufferLimitException.class,
					(_) -> Mono.just(ResponseEntity.status(HttpStatus.CONTENT_TOO_LARGE).build()));
	}

	private static ResponseEntity<String> sandboxed(String html) {
		return ResponseEntity.ok().contentType(HTML).header("Content-Security-Policy", POLICY).body(html);
	}

	/** Whether a form of this origin posts into a frame, where the browser says so. */
	private static boolean isOwnFrame(HttpHeaders headers) {
		return headers.getOrDefault("Sec-Fetch-Site", List.of("same-origin")).contains("same-origin")
				&& headers.getOrDefault("Sec-Fetch-Dest", List.of("iframe")).contains("iframe");
	}

	/** The value of the only field of a form in text/plain. */
	private static String field(DataBuffer buffer) {
		String form = buffer.toString(StandardCharsets.UTF_8);
		DataBufferUtils.release(buffer);
		return form.substring(form.indexOf('=') + 1);
	}

}
