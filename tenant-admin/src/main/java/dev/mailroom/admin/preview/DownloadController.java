package dev.mailroom.admin.preview;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.admin.limit.BodyMemory;
import dev.mailroom.inbound.InboundEmail;
import dev.mailroom.inbound.InboundEmails;
import dev.mailroom.observability.connection.PendingResponse;
import dev.mailroom.seal.Stamp;
import reactor.core.publisher.Mono;

import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves received mails and their attachments as downloads, which browsers do not
 * display.
 */
@RestController
class DownloadController {

	private static final String MAIL = "message/rfc822";

	private final InboundEmails inbound;

	private final Stamp stamp;

	private final Clock clock;

	private final BodyMemory memory;

	DownloadController(InboundEmails inbound, Stamp stamp, Clock clock, BodyMemory memory) {
		this.inbound = inbound;
		this.stamp = stamp;
		this.clock = clock;
		this.memory = memory;
	}

	/** The response is the same for forged and expired URLs and for missing objects. */
	@GetMapping("/download/{token}")
	Mono<Void> download(@PathVariable String token, ServerHttpRequest request, ServerHttpResponse response) {
		return Mono.justOrEmpty(PreviewToken.parse(token, this.stamp, this.clock.instant()))
			.map((it) -> send(it, request, response))
			.defaultIfEmpty(Mono.defer(() -> missing(response)))
			.flatMap(Function.identity());
	}

	private Mono<Void> send(PreviewToken token, ServerHttpRequest request, ServerHttpResponse response) {
		BodyMemory.Hold hold = this.memory.hold(token.account());
		return Mono.fromRunnable(hold::expectContent)
			.then(content(token).onErrorResume(DownloadController::isMissing, (_) -> Mono.empty()))
			.doOnNext((file) -> hold.resize(file.content().length))
			.map((file) -> write(file, response))
			.defaultIfEmpty(Mono.defer(() -> missing(response)))
			.flatMap(Function.identity())
			.doFinally((_) -> PendingResponse.whenSent(request, hold::release));
	}

	private Mono<InboundEmail.Content> content(PreviewToken token) {
		Scope scope = Scope.of(token.account());
		UUID id = token.id();
		return switch (token.kind()) {
			case INBOUND_SOURCE ->
				this.inbound.raw(scope, id).map((bytes) -> new InboundEmail.Content(id + ".eml", MAIL, bytes));
			case INBOUND_FILE -> this.inbound.attachment(scope, id, token.position());
			case EMAIL, TEMPLATE, CAMPAIGN, INBOUND_EMAIL, DRAFT -> Mono.empty();
		};
	}

	private static boolean isMissing(Throwable error) {
		return error instanceof Refused refused && refused.refusal().kind() == Refusal.Kind.NOT_FOUND;
	}

	private static Mono<Void> write(InboundEmail.Content file, ServerHttpResponse response) {
		HttpHeaders headers = response.getHeaders();
		headers.setContentType(type(file.contentType()));
		headers.setContentLength(file.content().length);
		headers.setContentDisposition(
				ContentDisposition.attachment().filename(file.filename(), StandardCharsets.UTF_8).build());
		headers.set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'");
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(file.content())));
	}

	private static MediaType type(String contentType) {
		try {
			MediaType type = MediaType.parseMediaType(contentType);
			return type.isConcrete() ? type : MediaType.APPLICATION_OCTET_STREAM;
		}
		catch (InvalidMediaTypeException _) {
			return MediaType.APPLICATION_OCTET_STREAM;
		}
	}

	private static Mono<Void> missing(ServerHttpResponse response) {
		response.setStatusCode(HttpStatus.NOT_FOUND);
		return response.setComplete();
	}

}
