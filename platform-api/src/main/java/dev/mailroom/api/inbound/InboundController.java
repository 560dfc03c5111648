package dev.mailroom.api.inbound;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.inbound.InboundEmail;
import dev.mailroom.inbound.InboundEmails;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for received mail. */
@RestController
@RequestMapping("/inbound")
class InboundController {

	private static final MediaType MAIL = MediaType.parseMediaType("message/rfc822");

	/** The number of no attachment. */
	private static final int UNKNOWN_POSITION = -1;

	private final InboundEmails emails;

	InboundController(InboundEmails emails) {
		this.emails = emails;
	}

	/** Lists mails. The contract has no {@code success} field here. */
	@GetMapping
	Mono<Map<String, Object>> list(Scope scope,
			@PageSize(defaultLimit = 20, maxLimit = 100, cursor = true) Page.Request page,
			@RequestParam(name = "domain_id", required = false) @Nullable UUID domainId) {
		return this.emails.list(scope, domainId, page)
			.map((emails) -> Map.of("data", Success.list("emails", emails.map(InboundItem::of)).data()));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.emails.find(scope, id).map((email) -> Success.of("email", InboundDetail.of(email)));
	}

	@GetMapping("/{id}/raw")
	Mono<ResponseEntity<byte[]>> raw(Scope scope, @PathVariable UUID id) {
		return this.emails.raw(scope, id).map((bytes) -> file(MAIL, id + ".eml", bytes));
	}

	@GetMapping("/{id}/attachments/{n}")
	Mono<ResponseEntity<byte[]>> attachment(Scope scope, @PathVariable UUID id, @PathVariable String n) {
		return this.emails.attachment(scope, id, position(n))
			.map((attachment) -> file(type(attachment), attachment.filename(), attachment.content()));
	}

	/** A file as a download; browsers must not render untrusted content. */
	private static ResponseEntity<byte[]> file(MediaType type, String name, byte[] bytes) {
		ContentDisposition disposition = ContentDisposition.attachment().filename(name, StandardCharsets.UTF_8).build();
		return ResponseEntity.ok()
			.contentType(type)
			.header(HttpHeaders.CONTENT_DISPOSITION, disposition.toString())
			.body(bytes);
	}

	private static MediaType type(InboundEmail.FileContent file) {
		try {
			MediaType type = MediaType.parseMediaType(file.contentType());
			return type.isConcrete() ? type : MediaType.APPLICATION_OCTET_STREAM;
		}
		catch (InvalidMediaTypeException _) {
			return MediaType.APPLICATION_OCTET_STREAM;
		}
	}

	private static int position(String text) {
		try {
			return Integer.parseInt(text);
		}
		catch (NumberFormatException _) {
			return UNKNOWN_POSITION;
		}
	}

}
