package dev.mailroom.contact;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import dev.mailroom.ClientNetwork;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Adds contacts to a book and updates them by address. Every path locks the account,
 * saves in one statement and then checks the plan's limit.
 */
@Service
public class ContactIntake {

	private static final int MAX_CONTACTS_PER_CALL = 1000;

	private final ContactStore store;

	private final ContactListStore lists;

	private final ContactBookStore books;

	private final Transactions transactions;

	private final Events events;

	private final Clock clock;

	ContactIntake(ContactStore store, ContactListStore lists, ContactBookStore books, Transactions transactions,
			Events events, Clock clock) {
		this.store = store;
		this.lists = lists;
		this.books = books;
		this.transactions = transactions;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Adds a contact with a new address.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Contact book not found}, {@code Duplicate contact} or
	 * {@code Contact limit reached}
	 */
	public Mono<Contact> create(Scope scope, UUID bookId, ContactForm form) {
		return Mono.defer(() -> {
			ContactEntry entry = ContactEntry.parseOne(form);
			Mono<Contact> created = locked(scope, bookId).then(Mono.defer(() -> save(scope, bookId, List.of(entry))))
				.map(List::getFirst)
				.filter(SaveResult::added)
				.switchIfEmpty(Mono.error(() -> ContactRefusals.duplicateAddress(entry.email())))
				.map(SaveResult::contact);
			return this.transactions.in(scope, created);
		});
	}

	/**
	 * Adds or updates up to 1000 contacts, all or none.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Contact book not found} or {@code Contact limit reached}
	 */
	public Mono<SaveCount> bulk(Scope scope, UUID bookId, List<@Nullable ContactForm> forms) {
		return Mono.defer(() -> {
			checkSize(forms);
			return add(scope, bookId, ContactEntry.parseAll(forms));
		});
	}

	/**
	 * Checks up to 1000 contacts and saves none. The plan's limit is not checked.
	 * @throws dev.mailroom.Refused {@code Invalid request data} for a wrong number of
	 * contacts, or {@code Contact book not found}
	 */
	public Mono<ImportCheck> check(Scope scope, UUID bookId, List<ContactForm> forms) {
		return Mono.defer(() -> {
			checkSize(forms);
			ImportCheck.Parsed parsed = ImportCheck.Parsed.of(forms);
			Mono<ImportCheck> checked = this.books.find(scope, bookId)
				.switchIfEmpty(Mono.error(() -> ContactRefusals.missingBook(bookId)))
				.flatMap((_) -> this.lists.subscriptions(scope, bookId, parsed.keys()))
				.map(parsed::against);
			return this.transactions.list(scope, checked);
		});
	}

	private static void checkSize(List<?> forms) {
		if (forms.isEmpty() || forms.size() > MAX_CONTACTS_PER_CALL) {
			throw Refusal.INVALID_REQUEST
				.because("The body must be an array of 1 to " + MAX_CONTACTS_PER_CALL + " contacts");
		}
	}

	/**
	 * Adds or updates validated contacts with distinct addresses, all or none.
	 * @throws dev.mailroom.Refused {@code Contact book not found} or
	 * {@code Contact limit reached}
	 */
	public Mono<SaveCount> add(Scope scope, UUID bookId, List<ContactEntry> entries) {
		Mono<SaveCount> saved = locked(scope, bookId).then(Mono.defer(() -> save(scope, bookId, entries)))
			.map(SaveCount::of);
		return this.transactions.in(scope, saved);
	}

	/**
	 * Adds or updates the contact with this address.
	 * @param id if this is a contact of the book, it must be the one with this address
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Contact book not found}, {@code Duplicate contact} or
	 * {@code Contact limit reached}
	 */
	public Mono<SaveResult> put(Scope scope, UUID bookId, UUID id, ContactForm form) {
		return Mono.defer(() -> {
			ContactEntry entry = ContactEntry.parseOne(form);
			Mono<SaveResult> saved = locked(scope, bookId)
				.then(Mono.defer(() -> this.store.emailKey(scope, bookId, id)))
				.filter((key) -> !key.equals(entry.emailKey()))
				.flatMap((_) -> Mono.<List<SaveResult>>error(() -> ContactRefusals.differentAddress(id, entry.email())))
				.switchIfEmpty(Mono.defer(() -> save(scope, bookId, List.of(entry))))
				.map(List::getFirst);
			return this.transactions.in(scope, saved);
		});
	}

	private Mono<Void> locked(Scope scope, UUID bookId) {
		return this.books.lockAccount(scope)
			.then(Mono.defer(() -> this.books.find(scope, bookId)))
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingBook(bookId)))
			.then();
	}

	/** Saves entries in the open transaction, which has locked the account. */
	Mono<List<SaveResult>> save(Scope scope, UUID bookId, List<ContactEntry> entries) {
		return ClientNetwork.address()
			.flatMap((address) -> this.store.save(scope, bookId, entries, address, this.clock.instant()).collectList())
			.delayUntil((saved) -> count(scope, bookId, SaveCount.of(saved).added()))
			.delayUntil((saved) -> this.events.record(SaveResult.events(saved)));
	}

	/** A refusal rolls back the whole call. */
	private Mono<Void> count(Scope scope, UUID bookId, long added) {
		return (added == 0) ? Mono.empty()
				: this.books.addToCount(scope, bookId, added)
					.then(Mono.defer(() -> this.books.isWithinContactLimit(scope)))
					.filter(Boolean::booleanValue)
					.switchIfEmpty(Mono.error(ContactRefusals::contactLimit))
					.then();
	}

}
