package dev.mailroom.api.contact;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
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

/** The account's contact books. */
@RestController
@RequestMapping("/contact-books")
class BookController {

	private final ContactBooks books;

	private final Idempotent once;

	BookController(ContactBooks books, Idempotent once) {
		this.books = books;
		this.once = once;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey keyed, @RequestBody NameBook body) {
		return this.once.answer(scope, keyed, HttpStatus.CREATED,
				this.books.create(scope, body.name()).map(BookController::shown));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(usual = 50, most = 100) Page.Request page) {
		return this.books.list(scope, page).map((found) -> Success.list("contactBooks", found.map(BookView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.books.find(scope, id).map(BookController::shown);
	}

	@PatchMapping("/{id}")
	Mono<Success> rename(Scope scope, @PathVariable UUID id, @RequestBody NameBook body) {
		return this.books.rename(scope, id, body.name()).map(BookController::shown);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.books.delete(scope, id).thenReturn(Success.deleted(id));
	}

	private static Success shown(ContactBook book) {
		return Success.of("contactBook", BookView.of(book));
	}

}
