package dev.mailroom.admin.preview;

import java.time.Clock;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.seal.Stamp;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
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
			.map((html) -> ResponseEntity.ok().contentType(HTML).header("Content-Security-Policy", POLICY).body(html))
			.onErrorResume(Refused.class, (_) -> Mono.empty())
			.switchIfEmpty(Mono.fromSupplier(() -> ResponseEntity.notFound().build()));
	}

}
