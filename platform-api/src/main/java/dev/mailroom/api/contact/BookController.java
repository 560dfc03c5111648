package dev.mailroom.api.contact;

import java.time.Instant;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.contact.ContactBook;
import dev.mailroom.contact.ContactBooks;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for contact books. */
@RestController
@RequestMapping("/contact-books")
class BookController {

	private final ContactBooks books;

	private final Idempotent idempotent;

	BookController(ContactBooks books, Idempotent idempotent) {
		this.books = books;
		this.idempotent = idempotent;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey key, @RequestBody SaveBook body) {
		return this.idempotent.answer(scope, key, HttpStatus.CREATED,
				this.books.create(scope, body.name(), body.publicName(), Boolean.TRUE.equals(body.doubleOptIn()))
					.map(BookController::view));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page) {
		return this.books.list(scope, page).map((listed) -> Success.list("contactBooks", listed.map(BookView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.books.find(scope, id).map(BookController::view);
	}

	@PatchMapping("/{id}")
	Mono<Success> change(Scope scope, @PathVariable UUID id, @RequestBody SaveBook body) {
		return this.books.change(scope, id, body.name(), body.publicName(), body.doubleOptIn())
			.map(BookController::view);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.books.delete(scope, id).thenReturn(Success.deleted(id));
	}

	private static Success view(ContactBook book) {
		return Success.of("contactBook", BookView.of(book));
	}

	/** The body of POST /contact-books and of PATCH /contact-books/:id. */
	record SaveBook(@Nullable String name, @Nullable String publicName, @Nullable Boolean doubleOptIn) {
	}

	/**
	 * A contact book in a response.
	 *
	 * @param publicName absent if there is none
	 * @param doubleOptIn true or absent
	 */
	record BookView(UUID id, UUID userId, String name,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String publicName,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean doubleOptIn, Instant createdAt,
			Instant updatedAt) {

		static BookView of(ContactBook book) {
			return new BookView(book.id(), book.accountId(), book.name(), book.publicName(),
					book.doubleOptIn() ? true : null, book.createdAt(), book.updatedAt());
		}

	}

}
