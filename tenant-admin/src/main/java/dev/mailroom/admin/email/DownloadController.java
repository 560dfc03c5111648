package dev.mailroom.admin.email;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.inbound.InboundEmail;
import dev.mailroom.inbound.InboundEmails;
import reactor.core.publisher.Mono;

import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Serves received mails and their attachments as downloads, which browsers do not
 * display.
 */
@RestController
class DownloadController {

	private static final String MAIL = "message/rfc822";

	private static final String POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

	private final SignedResponse responses;

	private final InboundEmails inbound;

	DownloadController(SignedResponse responses, InboundEmails inbound) {
		this.responses = responses;
		this.inbound = inbound;
	}

	@GetMapping("/download/{token}")
	Mono<Void> download(@PathVariable String token, ServerWebExchange exchange) {
		return this.responses.send(token, exchange,
				(it) -> content(it).onErrorResume(DownloadController::isMissing, (_) -> Mono.empty())
					.map((file) -> new SignedResponse.Body(headers(file), file.content())));
	}

	private Mono<InboundEmail.FileContent> content(PreviewToken token) {
		Scope scope = Scope.of(token.account());
		UUID id = token.id();
		return switch (token.kind()) {
			case INBOUND_SOURCE ->
				this.inbound.raw(scope, id).map((bytes) -> new InboundEmail.FileContent(id + ".eml", MAIL, bytes));
			case INBOUND_FILE -> this.inbound.attachment(scope, id, token.position());
			case EMAIL, TEMPLATE, CAMPAIGN, INBOUND_EMAIL, DRAFT -> Mono.empty();
		};
	}

	private static boolean isMissing(Throwable error) {
		return error instanceof Refused refused && refused.refusal().kind() == Refusal.Kind.NOT_FOUND;
	}

	private static HttpHeaders headers(InboundEmail.FileContent file) {
		HttpHeaders headers = new HttpHeaders();
		headers.setContentType(type(file.contentType()));
		headers.setContentDisposition(
				ContentDisposition.attachment().filename(file.filename(), StandardCharsets.UTF_8).build());
		headers.set("Content-Security-Policy", POLICY);
		return headers;
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

}
