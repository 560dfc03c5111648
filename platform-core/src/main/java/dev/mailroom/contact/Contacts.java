package dev.mailroom.contact;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.ClientNetwork;
import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Contacts of a book: reading, changing and deleting them. */
@Service
public class Contacts {

	/** Contacts deleted by one call. */
	private static final int MAX_DELETED = 1000;

	private final ContactStore store;

	private final ContactChangeStore changes;

	private final ContactListStore lists;

	private final ContactBookStore books;

	private final Transactions transactions;

	private final Events events;

	private final Clock clock;

	Contacts(ContactStore store, ContactChangeStore changes, ContactListStore lists, ContactBookStore books,
			Transactions transactions, Events events, Clock clock) {
		this.store = store;
		this.changes = changes;
		this.lists = lists;
		this.books = books;
		this.transactions = transactions;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Lists a book's contacts, newest first, and counts those that match a filter.
	 * @throws dev.mailroom.Refused {@code Contact book not found}
	 */
	public Mono<Page<Contact>> list(Scope scope, UUID bookId, Contact.Filter filter, Page.Request page) {
		Mono<Page<Contact>> listed = book(scope, bookId).flatMap((book) -> this.lists.list(scope, bookId, filter, page)
			.collectList()
			.flatMap((contacts) -> total(scope, book, filter)
				.map((total) -> Page.cut(contacts, page, total, Contact::cursor))));
		return this.transactions.list(scope, listed);
	}

	/**
	 * The contacts of a page in the order in which it reads them, and one more than it
	 * holds if there are more. They are not counted.
	 * @throws dev.mailroom.Refused {@code Contact book not found}
	 */
	public Mono<List<Contact>> read(Scope scope, UUID bookId, Contact.Filter filter, Page.Request page) {
		return this.transactions.list(scope,
				book(scope, bookId).flatMap((_) -> this.lists.list(scope, bookId, filter, page).collectList()));
	}

	/**
	 * Counts the contacts of a book that match, within the time limit of lists; without a
	 * filter it is the maintained number of the book.
	 * @throws dev.mailroom.Refused {@code Contact book not found}
	 */
	public Mono<Long> count(Scope scope, UUID bookId, Contact.Filter filter) {
		return this.transactions.list(scope, book(scope, bookId).flatMap((book) -> total(scope, book, filter)));
	}

	private Mono<ContactBook> book(Scope scope, UUID id) {
		return this.books.find(scope, id).switchIfEmpty(Mono.error(() -> ContactRefusals.missingBook(id)));
	}

	/**
	 * Contacts of all books whose address begins with a text, in the order of the
	 * addresses; none for a blank text.
	 */
	public Mono<List<Contact.Found>> byAddress(Scope scope, String text, int limit) {
		String stripped = text.strip().replace('\0', '\uFFFD');
		String beginning = EmailAddress.parse(stripped)
			.map(EmailAddress::key)
			.orElseGet(() -> stripped.toLowerCase(Locale.ROOT));
		return beginning.isEmpty() ? Mono.just(List.of())
				: this.transactions.list(scope, this.lists.byAddress(scope, beginning, limit).collectList());
	}

	/**
	 * Finds a contact of a book.
	 * @throws dev.mailroom.Refused {@code Contact not found}
	 */
	public Mono<Contact> find(Scope scope, UUID bookId, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, bookId, id))
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingContact(id)));
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
	 * contact. If the book requires a confirmation, the contact becomes pending.
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Contact not found}
	 */
	public Mono<Contact> change(Scope scope, UUID bookId, UUID id, Contact.Change change) {
		return Mono.defer(() -> {
			FieldErrors errors = new FieldErrors();
			ContactFields.checkName(errors, "first_name", change.firstName());
			ContactFields.checkName(errors, "last_name", change.lastName());
			ContactFields.checkProperties(errors, change.properties());
			errors.refuseIfAny();
			Mono<Contact> changed = ClientNetwork.address()
				.flatMap((address) -> this.changes.change(scope, bookId, id, change, address, this.clock.instant()))
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
			.delayUntil((contact) -> this.events.record(List.of(contact.event(EventKind.CONTACT_DELETED))));
		return this.transactions.in(scope, deleted)
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingContact(id)))
			.then();
	}

	/**
	 * Deletes contacts of a book by their ids; unknown ids are ignored.
	 * @return the number of deleted contacts
	 * @throws dev.mailroom.Refused {@code Contact book not found}, or
	 * {@code Invalid request data} without ids or with more than 1000
	 */
	public Mono<Long> deleteAll(Scope scope, UUID bookId, Collection<UUID> ids) {
		return limited("ids", ids.size(), deleted(scope, bookId, this.lists.delete(scope, bookId, ids)));
	}

	/**
	 * Deletes contacts of a book that match, the oldest first. Contacts that are added
	 * meanwhile remain.
	 * @param count the largest number of contacts to delete, at most 1000
	 * @return the number of deleted contacts
	 * @throws dev.mailroom.Refused {@code Contact book not found}, or
	 * {@code Invalid request data} if the count is out of range
	 */
	public Mono<Long> deleteMatching(Scope scope, UUID bookId, Contact.Filter filter, int count) {
		return limited("count", count, deleted(scope, bookId, this.lists.deleteMatching(scope, bookId, filter, count)));
	}

	private static Mono<Long> limited(String field, int count, Mono<Long> work) {
		return Mono.defer(() -> {
			FieldErrors errors = new FieldErrors();
			if (count < 1 || count > MAX_DELETED) {
				errors.add(field, "must be 1 to " + MAX_DELETED);
			}
			errors.refuseIfAny();
			return work;
		});
	}

	private Mono<Long> deleted(Scope scope, UUID bookId, Flux<Contact> contacts) {
		Mono<Long> deleted = this.books.lockAccount(scope)
			.then(Mono.defer(() -> book(scope, bookId)))
			.flatMap((_) -> contacts.map((contact) -> contact.event(EventKind.CONTACT_DELETED)).collectList())
			.delayUntil((events) -> this.books.addToCount(scope, bookId, -events.size()))
			.delayUntil(this.events::record)
			.map((events) -> (long) events.size());
		return this.transactions.in(scope, deleted);
	}

	private Mono<Long> total(Scope scope, ContactBook book, Contact.Filter filter) {
		if (filter.search() != null || Boolean.FALSE.equals(filter.subscribed())) {
			return this.lists.count(scope, book.id(), filter);
		}
		return (filter.subscribed() == null) ? Mono.just(book.contacts())
				: this.lists.count(scope, book.id(), new Contact.Filter(null, false))
					.map((unsubscribed) -> Math.max(0, book.contacts() - unsubscribed));
	}

}
