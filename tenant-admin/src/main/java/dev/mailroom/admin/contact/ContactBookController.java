package dev.mailroom.admin.contact;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.contact.ContactBook;
import dev.mailroom.contact.ContactBooks;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Contact books. */
@Controller
class ContactBookController {

	private final ContactBooks books;

	ContactBookController(ContactBooks books) {
		this.books = books;
	}

	@SchemaMapping
	Mono<Connection<ContactBook>> contactBooks(Viewer viewer, PageArguments page) {
		return Mono.defer(() -> this.books.list(viewer.scope(), page.byPosition())).map(Connection::of);
	}

	@SchemaMapping
	Mono<ContactBook> contactBook(Viewer viewer, @Argument UUID id) {
		return this.books.find(viewer.scope(), id);
	}

	@SchemaMapping
	long contactCount(ContactBook book) {
		return book.contacts();
	}

	@MutationMapping
	Mono<Map<String, Object>> createContactBook(Scope scope, @Argument CreateContactBookInput input) {
		return Payload.of("contactBook", Mono.defer(() -> this.books.create(scope, input.name())));
	}

	@MutationMapping
	Mono<Map<String, Object>> renameContactBook(Scope scope, @Argument RenameContactBookInput input) {
		return Payload.of("contactBook", Mono.defer(() -> this.books.rename(scope, input.id(), input.name())));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteContactBook(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.books.delete(scope, id).thenReturn(id));
	}

	/** A contact book to create. */
	record CreateContactBookInput(String name) {
	}

	/** A new name of a contact book. */
	record RenameContactBookInput(UUID id, String name) {
	}

}
