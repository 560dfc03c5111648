package dev.mailroom.api.tracking;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.Stream;

import dev.mailroom.ClientNetwork;
import dev.mailroom.api.http.AtRoot;
import dev.mailroom.observability.LoggedRequest;
import dev.mailroom.tracking.Engagements;
import dev.mailroom.tracking.Links;
import dev.mailroom.tracking.Tokens;
import dev.mailroom.tracking.Visitor;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Public endpoints of tracked links: the image that records an open, and the redirect
 * that records a click. Both respond even if recording fails.
 */
@AtRoot
@RestController
class TrackingController {

	private static final Logger log = LoggerFactory.getLogger(TrackingController.class);

	/** A transparent image of one pixel. */
	private static final byte[] GIF = Base64.getDecoder()
		.decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

	/** Limits the time by which recording delays the response. */
	private static final Duration RECORD_TIMEOUT = Duration.ofSeconds(2);

	private final Tokens tokens;

	private final Links links;

	private final Engagements engagements;

	private final MeterRegistry registry;

	TrackingController(Tokens tokens, Links links, Engagements engagements, MeterRegistry registry) {
		this.tokens = tokens;
		this.links = links;
		this.engagements = engagements;
		this.registry = registry;
	}

	@GetMapping("/t/o/{token}")
	Mono<ResponseEntity<byte[]>> open(@PathVariable String token, ServerHttpRequest request) {
		return Mono.justOrEmpty(this.tokens.open(token))
			.switchIfEmpty(Mono.error(LinkNotFound::new))
			.flatMap((open) -> recorded(
					visitor("open", request).flatMap((visitor) -> this.engagements.recordOpen(open, visitor))))
			.thenReturn(ResponseEntity.ok()
				.cacheControl(CacheControl.noStore())
				.contentType(MediaType.IMAGE_GIF)
				.body(GIF));
	}

	@GetMapping("/t/c/{token}")
	Mono<ResponseEntity<Void>> click(@PathVariable String token, ServerHttpRequest request) {
		return Mono.justOrEmpty(this.tokens.click(token))
			.flatMap((click) -> this.links.target(click)
				.delayUntil((url) -> recorded(visitor("click", request)
					.flatMap((visitor) -> this.engagements.recordClick(click, url, visitor)))))
			.switchIfEmpty(Mono.error(LinkNotFound::new))
			.map((url) -> ResponseEntity.status(HttpStatus.FOUND)
				.cacheControl(CacheControl.noStore())
				.header(HttpHeaders.LOCATION, url)
				.header("X-Robots-Tag", "noindex")
				.build());
	}

	private static Mono<Void> recorded(Mono<Void> recording) {
		return recording.timeout(RECORD_TIMEOUT).onErrorResume((error) -> Mono.deferContextual((context) -> {
			LoggedRequest.with(context, () -> log.warn("An open or a click was not recorded: {}", error.toString()));
			return Mono.empty();
		}));
	}

	/**
	 * Counts a request by its client, whose address a trusted proxy may have forwarded.
	 */
	private Mono<Visitor> visitor(String kind, ServerHttpRequest request) {
		return ClientNetwork.address()
			.map((address) -> visitor(request, address))
			.doOnNext((visitor) -> this.registry
				.counter("mailroom.tracking", "kind", kind, "actor", visitor.actor().contractName())
				.increment());
	}

	private static Visitor visitor(ServerHttpRequest request, String address) {
		@Nullable String agent = request.getHeaders().getFirst(HttpHeaders.USER_AGENT);
		boolean prefetch = Stream.of("Purpose", "Sec-Purpose", "X-Purpose", "X-Moz")
			.flatMap((name) -> request.getHeaders().getOrEmpty(name).stream())
			.anyMatch((value) -> value.contains("prefetch") || value.contains("preview"));
		return new Visitor((agent != null) ? agent : "", prefetch || HttpMethod.HEAD.equals(request.getMethod()),
				address.isEmpty() ? null : InetAddress.ofLiteral(address));
	}

}
