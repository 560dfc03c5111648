package dev.mailroom.contact;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Events;
import dev.mailroom.event.Kind;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The contacts of a book, once they are in it. */
@Service
public class Contacts {

	private final ContactStore store;

	private final ContactBookStore books;

	private final Transactions transactions;

	private final Events events;

	private final Clock clock;

	Contacts(ContactStore store, ContactBookStore books, Transactions transactions, Events events, Clock clock) {
		this.store = store;
		this.books = books;
		this.transactions = transactions;
		this.events = events;
		this.clock = clock;
	}

	/** A book's contacts, newest first. */
	public Mono<Page<Contact>> list(Scope scope, UUID bookId, Contact.Filter filter, Page.Request page) {
		Mono<Page<Contact>> found = this.books.find(scope, bookId)
			.flatMap((book) -> this.store.list(scope, bookId, filter, page)
				.collectList()
				.flatMap((contacts) -> total(scope, book, filter)
					.map((total) -> Page.cut(contacts, page, total, Contact::cursor))));
		return this.transactions.in(scope, found).switchIfEmpty(Mono.error(() -> ContactRefusals.noBook(bookId)));
	}

	/** One contact of a book. */
	public Mono<Contact> find(Scope scope, UUID bookId, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, bookId, id))
			.switchIfEmpty(Mono.error(() -> ContactRefusals.noContact(id)));
	}

	/**
	 * Where a contact stands, whichever its book; empty where there is no such contact.
	 */
	public Mono<Membership> membership(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.membership(scope, id));
	}

	/**
	 * The contact of a book that an address belongs to and may be written to; empty where
	 * there is none.
	 */
	public Mono<UUID> subscribed(Scope scope, UUID bookId, EmailAddress address) {
		return this.transactions.in(scope, this.store.subscribed(scope, bookId, address.key()));
	}

	/**
	 * Changes a contact. Here, and only here, {@code subscribed} alone turns on somebody
	 * who has unsubscribed: it is said of this one.
	 */
	public Mono<Contact> change(Scope scope, UUID bookId, UUID id, Contact.Change change) {
		return Mono.defer(() -> {
			FieldErrors faults = new FieldErrors("");
			faults.name("first_name", change.firstName());
			faults.name("last_name", change.lastName());
			faults.properties(change.properties());
			FieldErrors.settle(faults.all());
			Mono<Contact> changed = this.store.change(scope, bookId, id, change, this.clock.instant())
				.delayUntil((kept) -> this.events.record(kept.events().toList()))
				.map(SaveResult::contact);
			return this.transactions.in(scope, changed).switchIfEmpty(Mono.error(() -> ContactRefusals.noContact(id)));
		});
	}

	/** Takes a contact out of its book. */
	public Mono<Void> delete(Scope scope, UUID bookId, UUID id) {
		Mono<Contact> deleted = this.books.lockAccount(scope)
			.then(Mono.defer(() -> this.store.delete(scope, bookId, id)))
			.delayUntil((_) -> this.books.counted(scope, bookId, -1))
			.delayUntil((contact) -> this.events.record(List.of(contact.event(Kind.CONTACT_DELETED))));
		return this.transactions.in(scope, deleted)
			.switchIfEmpty(Mono.error(() -> ContactRefusals.noContact(id)))
			.then();
	}

	private Mono<Long> total(Scope scope, ContactBook book, Contact.Filter filter) {
		return (filter.search() == null) ? Mono.just(book.contacts()) : this.store.count(scope, book.id(), filter);
	}

}
