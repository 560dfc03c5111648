package dev.mailroom.admin.contact;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.account.Caller;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.ContactExport;
import dev.mailroom.http.CallerToken;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Serves the contacts of a book as CSV to the account itself, with an access token. The
 * response is streamed, which GraphQL cannot do.
 */
@RestController
class ContactExportController {

	private static final MediaType CSV = MediaType.parseMediaType("text/csv;charset=UTF-8");

	private static final ContentDisposition ATTACHMENT = ContentDisposition.attachment()
		.filename("contacts.csv")
		.build();

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final ContactExport export;

	ContactExportController(ContactExport export) {
		this.export = export;
	}

	@GetMapping("/export/contact-books/{book}")
	Mono<ResponseEntity<Flux<DataBuffer>>> export(ServerWebExchange exchange, @PathVariable UUID book,
			@RequestParam @Nullable String search, @RequestParam @Nullable Boolean subscribed) {
		return CallerToken.of(exchange)
			.filter((caller) -> caller.role() != Caller.Role.ENROLLING)
			.switchIfEmpty(Mono.error(() -> FORBIDDEN.because("Operators need a second factor: set it up first.")))
			.flatMap((caller) -> this.export.write(caller.scope(), book, Contact.Filter.of(search, subscribed)))
			.map((chunks) -> ResponseEntity.ok()
				.contentType(CSV)
				.header(HttpHeaders.CONTENT_DISPOSITION, ATTACHMENT.toString())
				.body(chunks.map(DefaultDataBufferFactory.sharedInstance::wrap)));
	}

}
