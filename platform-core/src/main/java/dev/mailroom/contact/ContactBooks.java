package dev.mailroom.contact;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Events;
import dev.mailroom.event.Kind;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The contact books of an account. */
@Service
public class ContactBooks {

	private static final int LONGEST_NAME = 200;

	/** Contacts deleted in one statement. */
	private static final int AT_ONCE = 1000;

	private final ContactBookStore store;

	private final ContactStore contacts;

	private final Transactions transactions;

	private final Events events;

	private final NoArgGenerator ids;

	private final Clock clock;

	ContactBooks(ContactBookStore store, ContactStore contacts, Transactions transactions, Events events,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.contacts = contacts;
		this.transactions = transactions;
		this.events = events;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Makes an empty book.
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Contact book limit reached}
	 */
	public Mono<ContactBook> create(Scope scope, @Nullable String name) {
		return Mono.defer(() -> {
			String read = read(name);
			Mono<ContactBook> made = this.store.lockAccount(scope)
				.then(Mono.defer(() -> this.store.hasRoom(scope)))
				.filter(Boolean::booleanValue)
				.switchIfEmpty(Mono.error(() -> ContactRefusals.BOOK_LIMIT
					.because("The plan holds no more contact books: delete one, or choose a larger plan")))
				.flatMap((_) -> this.store.insert(scope, this.ids.generate(), read, this.clock.instant()));
			return this.transactions.in(scope, made);
		});
	}

	/** The account's books, newest first. */
	public Mono<Page<ContactBook>> list(Scope scope, Page.Request page) {
		Mono<Page<ContactBook>> found = this.store.list(scope, page)
			.collectList()
			.flatMap((books) -> this.store.count(scope).map((total) -> new Page<>(books, page, total)));
		return this.transactions.in(scope, found);
	}

	/** One of the account's books. */
	public Mono<ContactBook> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> ContactRefusals.noBook(id)));
	}

	/** Gives a book another name; null leaves it as it is. */
	public Mono<ContactBook> rename(Scope scope, UUID id, @Nullable String name) {
		return Mono.defer(() -> {
			if (name == null) {
				return find(scope, id);
			}
			String read = read(name);
			return this.transactions.in(scope, this.store.rename(scope, id, read, this.clock.instant()))
				.switchIfEmpty(Mono.error(() -> ContactRefusals.noBook(id)));
		});
	}

	/** Deletes a book with all of its contacts. */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<ContactBook> deleted = this.store.lockAccount(scope)
			.then(Mono.defer(() -> this.store.find(scope, id)))
			.delayUntil((_) -> empty(scope, id))
			.delayUntil((_) -> this.store.delete(scope, id));
		return this.transactions.in(scope, deleted).switchIfEmpty(Mono.error(() -> ContactRefusals.noBook(id))).then();
	}

	/** Some at a time: a book may hold millions. */
	private Mono<Void> empty(Scope scope, UUID id) {
		return this.contacts.deleteSome(scope, id, AT_ONCE)
			.map((contact) -> contact.event(Kind.CONTACT_DELETED))
			.collectList()
			.delayUntil(this.events::record)
			.repeat()
			.takeUntil(List::isEmpty)
			.then();
	}

	private static String read(@Nullable String text) {
		String name = (text != null) ? text.strip() : "";
		if (name.isEmpty()) {
			throw ContactRefusals.name("is required");
		}
		if (name.length() > LONGEST_NAME) {
			throw ContactRefusals.name("must have at most " + LONGEST_NAME + " characters");
		}
		if (name.chars().anyMatch(EmailAddress::breaksALine)) {
			throw ContactRefusals.name("must not contain control characters");
		}
		return name;
	}

}
