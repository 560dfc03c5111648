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

/** The mails that came in, as they are listed, read and fetched. */
@RestController
@RequestMapping("/inbound")
class InboundController {

	private static final MediaType MAIL = MediaType.parseMediaType("message/rfc822");

	/** Stands for a place that no file has. */
	private static final int NOWHERE = -1;

	private final InboundEmails emails;

	InboundController(InboundEmails emails) {
		this.emails = emails;
	}

	/** The contract has no {@code success} here. */
	@GetMapping
	Mono<Map<String, Object>> list(Scope scope, @PageSize(usual = 20, most = 100, cursor = true) Page.Request page,
			@RequestParam(name = "domain_id", required = false) @Nullable UUID domainId) {
		return this.emails.list(scope, domainId, page)
			.map((found) -> Map.of("data", Success.list("emails", found.map(InboundItem::of)).data()));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.emails.find(scope, id).map((found) -> Success.of("email", InboundDetail.of(found)));
	}

	@GetMapping("/{id}/raw")
	Mono<ResponseEntity<byte[]>> raw(Scope scope, @PathVariable UUID id) {
		return this.emails.raw(scope, id).map((bytes) -> file(MAIL, id + ".eml", bytes));
	}

	@GetMapping("/{id}/attachments/{n}")
	Mono<ResponseEntity<byte[]>> attachment(Scope scope, @PathVariable UUID id, @PathVariable String n) {
		return this.emails.attachment(scope, id, position(n))
			.map((found) -> file(type(found), found.filename(), found.content()));
	}

	/** To be kept, never to be shown in place: a stranger wrote it. */
	private static ResponseEntity<byte[]> file(MediaType type, String name, byte[] bytes) {
		ContentDisposition kept = ContentDisposition.attachment().filename(name, StandardCharsets.UTF_8).build();
		return ResponseEntity.ok()
			.contentType(type)
			.header(HttpHeaders.CONTENT_DISPOSITION, kept.toString())
			.body(bytes);
	}

	private static MediaType type(InboundEmail.Content file) {
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
			return NOWHERE;
		}
	}

}
