package dev.mailroom.admin.contact;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.contact.ContactBook;
import dev.mailroom.contact.ContactBooks;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Contact books. */
@Controller
class ContactBookResolver {

	private final ContactBooks books;

	ContactBookResolver(ContactBooks books) {
		this.books = books;
	}

	@SchemaMapping
	Mono<Connection<ContactBook>> contactBooks(Viewer viewer, PageArguments page) {
		return Connection.byPosition(page, (request) -> this.books.read(viewer.scope(), request));
	}

	@SchemaMapping
	Mono<ContactBook> contactBook(Viewer viewer, @Argument UUID id) {
		return this.books.find(viewer.scope(), id);
	}

	@SchemaMapping
	long contactCount(ContactBook book) {
		return book.contacts();
	}

	/** The figures of books, with one query for each account. */
	@BatchMapping
	Mono<Map<ContactBook, ContactBook.Figures>> figures(List<ContactBook> books) {
		return Flux.fromIterable(books.stream().collect(Collectors.groupingBy(ContactBook::accountId)).entrySet())
			.concatMap((account) -> figures(Scope.of(account.getKey()), account.getValue()))
			.collect(HashMap::new, Map::putAll);
	}

	private Mono<Map<ContactBook, ContactBook.Figures>> figures(Scope scope, List<ContactBook> books) {
		List<UUID> ids = books.stream().map(ContactBook::id).toList();
		return this.books.figures(scope, ids)
			.map((figures) -> books.stream()
				.collect(Collectors.toMap(Function.identity(),
						(book) -> figures.getOrDefault(book.id(), new ContactBook.Figures(book.id(), 0, 0)))));
	}

	@SchemaMapping(typeName = "ContactBookFigures")
	long subscribedCount(ContactBook.Figures figures) {
		return figures.subscribed();
	}

	@SchemaMapping(typeName = "ContactBookFigures")
	long addedCount(ContactBook.Figures figures) {
		return figures.added();
	}

	@MutationMapping
	Mono<Map<String, Object>> createContactBook(Scope scope, @Argument CreateContactBookInput input) {
		return Payload.of("contactBook", Mono.defer(() -> this.books.create(scope, input.name(), input.publicName(),
				Boolean.TRUE.equals(input.doubleOptIn()))));
	}

	@MutationMapping
	Mono<Map<String, Object>> renameContactBook(Scope scope, @Argument RenameContactBookInput input) {
		return Payload.of("contactBook",
				Mono.defer(() -> this.books.change(scope, input.id(), input.name(), null, null)));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateContactBook(Scope scope, @Argument UpdateContactBookInput input) {
		return Payload.of("contactBook", Mono
			.defer(() -> this.books.change(scope, input.id(), input.name(), input.publicName(), input.doubleOptIn())));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteContactBook(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.books.delete(scope, id).thenReturn(id));
	}

	/** A contact book to create. */
	record CreateContactBookInput(String name, @Nullable String publicName, @Nullable Boolean doubleOptIn) {
	}

	/** Changes of a contact book. An absent field stays. */
	record UpdateContactBookInput(UUID id, @Nullable String name, @Nullable String publicName,
			@Nullable Boolean doubleOptIn) {
	}

	/** A new name of a contact book. */
	record RenameContactBookInput(UUID id, String name) {
	}

}
