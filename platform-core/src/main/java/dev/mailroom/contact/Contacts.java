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

/** Contacts of a book: reading, changing and deleting them. */
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

	/**
	 * Lists a book's contacts, newest first.
	 * @throws dev.mailroom.Refused {@code Contact book not found}
	 */
	public Mono<Page<Contact>> list(Scope scope, UUID bookId, Contact.Filter filter, Page.Request page) {
		Mono<Page<Contact>> listed = this.books.find(scope, bookId)
			.flatMap((book) -> this.store.list(scope, bookId, filter, page)
				.collectList()
				.flatMap((contacts) -> total(scope, book, filter)
					.map((total) -> Page.cut(contacts, page, total, Contact::cursor))));
		return this.transactions.list(scope, listed)
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingBook(bookId)));
	}

	/**
	 * Finds a contact of a book.
	 * @throws dev.mailroom.Refused {@code Contact not found}
	 */
	public Mono<Contact> find(Scope scope, UUID bookId, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, bookId, id))
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingContact(id)));
	}

	/** The book of a contact, and whether it is subscribed; empty for an unknown id. */
	public Mono<Membership> membership(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.membership(scope, id));
	}

	/**
	 * The id of the subscribed contact of a book with this address; empty if there is
	 * none.
	 */
	public Mono<UUID> subscribed(Scope scope, UUID bookId, EmailAddress address) {
		return this.transactions.in(scope, this.store.subscribed(scope, bookId, address.key()));
	}

	/**
	 * Changes a contact. Unlike the calls that save contacts by address, this one
	 * resubscribes a contact with {@code subscribed} alone, because it names a single
	 * contact.
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Contact not found}
	 */
	public Mono<Contact> change(Scope scope, UUID bookId, UUID id, Contact.Change change) {
		return Mono.defer(() -> {
			FieldErrors errors = new FieldErrors("");
			errors.checkName("first_name", change.firstName());
			errors.checkName("last_name", change.lastName());
			errors.checkProperties(change.properties());
			FieldErrors.refuseIfAny(errors.all());
			Mono<Contact> changed = this.store.change(scope, bookId, id, change, this.clock.instant())
				.delayUntil((saved) -> this.events.record(saved.events().toList()))
				.map(SaveResult::contact);
			return this.transactions.in(scope, changed)
				.switchIfEmpty(Mono.error(() -> ContactRefusals.missingContact(id)));
		});
	}

	/**
	 * Deletes a contact from its book.
	 * @throws dev.mailroom.Refused {@code Contact not found}
	 */
	public Mono<Void> delete(Scope scope, UUID bookId, UUID id) {
		Mono<Contact> deleted = this.books.lockAccount(scope)
			.then(Mono.defer(() -> this.store.delete(scope, bookId, id)))
			.delayUntil((_) -> this.books.addToCount(scope, bookId, -1))
			.delayUntil((contact) -> this.events.record(List.of(contact.event(Kind.CONTACT_DELETED))));
		return this.transactions.in(scope, deleted)
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingContact(id)))
			.then();
	}

	private Mono<Long> total(Scope scope, ContactBook book, Contact.Filter filter) {
		return (filter.search() == null) ? Mono.just(book.contacts()) : this.store.count(scope, book.id(), filter);
	}

}
