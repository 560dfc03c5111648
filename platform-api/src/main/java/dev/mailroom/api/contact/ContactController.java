package dev.mailroom.api.contact;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.ContactForm;
import dev.mailroom.contact.ContactIntake;
import dev.mailroom.contact.Contacts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The contacts of a book. */
@RestController
@RequestMapping("/contact-books/{book}/contacts")
class ContactController {

	private final Contacts contacts;

	private final ContactIntake intake;

	private final Idempotent once;

	private final JsonMapper json;

	ContactController(Contacts contacts, ContactIntake intake, Idempotent once, JsonMapper json) {
		this.contacts = contacts;
		this.intake = intake;
		this.once = once;
		this.json = json;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @PathVariable UUID book, @Nullable IdempotencyKey keyed,
			@RequestBody SaveContact body) {
		return this.once.answer(scope, keyed, HttpStatus.CREATED,
				this.intake.create(scope, book, body.form()).map(ContactController::shown));
	}

	@PostMapping("/bulk")
	Mono<ResponseEntity<Object>> bulk(Scope scope, @PathVariable UUID book, @Nullable IdempotencyKey keyed,
			@RequestBody List<@Nullable SaveContact> body) {
		List<@Nullable ContactForm> forms = body.stream().<@Nullable ContactForm>map(ContactController::form).toList();
		return this.once.answer(scope, keyed, HttpStatus.OK,
				this.intake.bulk(scope, book, forms).map(BulkResult::of).map(Success::data));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PathVariable UUID book,
			@PageSize(usual = 50, most = 100, cursor = true) Page.Request page,
			@RequestParam(required = false) @Nullable String search) {
		Contact.Filter filter = Contact.Filter.of(search);
		return this.contacts.list(scope, book, filter, page)
			.map((found) -> Success.list("contacts", found.map(ContactView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID book, @PathVariable UUID id) {
		return this.contacts.find(scope, book, id).map(ContactController::shown);
	}

	@PatchMapping("/{id}")
	Mono<Success> change(Scope scope, @PathVariable UUID book, @PathVariable UUID id, @RequestBody UpdateContact body) {
		return this.contacts.change(scope, book, id, body.change(this.json)).map(ContactController::shown);
	}

	@PutMapping("/{id}")
	Mono<ResponseEntity<Success>> put(Scope scope, @PathVariable UUID book, @PathVariable UUID id,
			@RequestBody SaveContact body) {
		return this.intake.put(scope, book, id, body.form())
			.map((kept) -> ResponseEntity.status(kept.added() ? HttpStatus.CREATED : HttpStatus.OK)
				.body(shown(kept.contact())));
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID book, @PathVariable UUID id) {
		return this.contacts.delete(scope, book, id).thenReturn(Success.deleted(id));
	}

	private static @Nullable ContactForm form(@Nullable SaveContact body) {
		return (body != null) ? body.form() : null;
	}

	private static Success shown(Contact contact) {
		return Success.of("contact", ContactView.of(contact));
	}

}
