package dev.mailroom.contact;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Contact books of an account. */
@Service
public class ContactBooks {

	private static final int MAX_NAME_LENGTH = 200;

	/** Contacts deleted in one statement. */
	private static final int DELETE_CHUNK = 1000;

	private final ContactBookStore store;

	private final ContactListStore contacts;

	private final Transactions transactions;

	private final Events events;

	private final NoArgGenerator ids;

	private final Clock clock;

	ContactBooks(ContactBookStore store, ContactListStore contacts, Transactions transactions, Events events,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.contacts = contacts;
		this.transactions = transactions;
		this.events = events;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Creates an empty book.
	 * @param publicName name that recipients see in place of the name; null or empty for
	 * the name
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Contact book limit reached}
	 */
	public Mono<ContactBook> create(Scope scope, @Nullable String name, @Nullable String publicName,
			boolean doubleOptIn) {
		return Mono.defer(() -> {
			String valid = validName(name);
			@Nullable String shown = validPublicName(publicName);
			Mono<ContactBook> created = this.store.lockAccount(scope)
				.then(Mono.defer(() -> this.store.allowsAnotherBook(scope)))
				.filter(Boolean::booleanValue)
				.switchIfEmpty(Mono.error(ContactRefusals::bookLimit))
				.flatMap((_) -> this.store.insert(scope, this.ids.generate(), valid, shown, doubleOptIn,
						this.clock.instant()));
			return this.transactions.in(scope, created);
		});
	}

	/** Lists the account's books, newest first, and counts them. */
	public Mono<Page<ContactBook>> list(Scope scope, Page.Request page) {
		return this.transactions.list(scope, read(scope, page)
			.flatMap((books) -> this.store.count(scope).map((total) -> Page.of(books, page, total))));
	}

	/** The books of a page, newest first. They are not counted. */
	public Mono<List<ContactBook>> read(Scope scope, Page.Request page) {
		return this.transactions.list(scope, this.store.list(scope, page).collectList());
	}

	/**
	 * Finds a book of the account.
	 * @throws dev.mailroom.Refused {@code Contact book not found}
	 */
	public Mono<ContactBook> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingBook(id)));
	}

	/** Figures of books by their ids; those of other accounts are left out. */
	public Mono<Map<UUID, ContactBook.Figures>> figures(Scope scope, Collection<UUID> ids) {
		return Mono.defer(() -> this.transactions.list(scope,
				this.contacts.figures(scope, ids, this.clock.instant().minus(ContactBook.Figures.PERIOD))
					.collectMap(ContactBook.Figures::bookId)));
	}

	/**
	 * Changes a book. A field that is null stays as it is. Contacts that are subscribed
	 * remain so when the book begins to require a confirmation.
	 * @param publicName empty to remove it
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Contact book not found}
	 */
	public Mono<ContactBook> change(Scope scope, UUID id, @Nullable String name, @Nullable String publicName,
			@Nullable Boolean doubleOptIn) {
		return Mono.defer(() -> {
			if (name == null && publicName == null && doubleOptIn == null) {
				return find(scope, id);
			}
			@Nullable String valid = (name != null) ? validName(name) : null;
			@Nullable String shown = validPublicName(publicName);
			return this.transactions
				.in(scope, this.store.change(scope, id, valid, shown, doubleOptIn, this.clock.instant()))
				.switchIfEmpty(Mono.error(() -> ContactRefusals.missingBook(id)));
		});
	}

	/**
	 * Deletes a book with all of its contacts.
	 * @throws dev.mailroom.Refused {@code Contact book not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<ContactBook> deleted = this.store.lockAccount(scope)
			.then(Mono.defer(() -> this.store.find(scope, id)))
			.delayUntil((_) -> deleteContacts(scope, id))
			.delayUntil((_) -> this.store.delete(scope, id));
		return this.transactions.in(scope, deleted)
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingBook(id)))
			.then();
	}

	/** Deletes in chunks, because a book may have millions of contacts. */
	private Mono<Void> deleteContacts(Scope scope, UUID id) {
		return this.contacts.deleteMatching(scope, id, Contact.Filter.ALL, DELETE_CHUNK)
			.map((contact) -> contact.event(EventKind.CONTACT_DELETED))
			.collectList()
			.delayUntil(this.events::record)
			.repeat()
			.takeUntil(List::isEmpty)
			.then();
	}

	private static String validName(@Nullable String text) {
		String name = (text != null) ? text.strip() : "";
		if (name.isEmpty()) {
			throw ContactRefusals.invalidName("name", "is required");
		}
		return checked("name", name);
	}

	private static @Nullable String validPublicName(@Nullable String text) {
		return (text != null) ? checked("public_name", text.strip()) : null;
	}

	private static String checked(String field, String name) {
		if (name.length() > MAX_NAME_LENGTH) {
			throw ContactRefusals.invalidName(field, "must have at most " + MAX_NAME_LENGTH + " characters");
		}
		if (name.chars().anyMatch(EmailAddress::breaksALine)) {
			throw ContactRefusals.invalidName(field, "must not contain control characters");
		}
		return name;
	}

}
