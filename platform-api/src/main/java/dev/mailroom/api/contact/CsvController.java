package dev.mailroom.api.contact;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.Success;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.ContactExport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for import and export of contacts as CSV. */
@RestController
@RequestMapping("/contact-books/{book}/contacts")
class CsvController {

	private static final String CSV = "text/csv";

	private static final ContentDisposition ATTACHMENT = ContentDisposition.attachment()
		.filename("contacts.csv")
		.build();

	private final CsvImport csvImport;

	private final ContactExport export;

	private final Idempotent idempotent;

	CsvController(CsvImport csvImport, ContactExport export, Idempotent idempotent) {
		this.csvImport = csvImport;
		this.export = export;
		this.idempotent = idempotent;
	}

	@PostMapping(path = "/import", consumes = CSV)
	Mono<ResponseEntity<Object>> importContacts(Scope scope, @PathVariable UUID book, @Nullable IdempotencyKey key,
			@RequestParam(defaultValue = "false") boolean resubscribe,
			@RequestParam(name = "consent_stated", defaultValue = "false") boolean consentStated,
			ServerHttpRequest request) {
		CsvImport.Options options = new CsvImport.Options(resubscribe, consentStated);
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				this.csvImport.read(scope, book, request.getBody(), options, key != null).map(Success::data));
	}

	@GetMapping("/export")
	Mono<ResponseEntity<Flux<DataBuffer>>> exportContacts(Scope scope, @PathVariable UUID book) {
		return this.export.write(scope, book, Contact.Filter.ALL)
			.map((chunks) -> ResponseEntity.ok()
				.contentType(MediaType.parseMediaType(CSV + ";charset=UTF-8"))
				.header(HttpHeaders.CONTENT_DISPOSITION, ATTACHMENT.toString())
				.body(chunks.map(DefaultDataBufferFactory.sharedInstance::wrap)));
	}

}
