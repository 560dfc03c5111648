package dev.mailroom.contact;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Every way into a contact book. All of them end in one statement, behind one lock and
 * before one look at the plan's limit.
 */
@Service
public class ContactIntake {

	private static final int MOST = 1000;

	private final ContactStore store;

	private final ContactBookStore books;

	private final Transactions transactions;

	private final Events events;

	private final Clock clock;

	ContactIntake(ContactStore store, ContactBookStore books, Transactions transactions, Events events, Clock clock) {
		this.store = store;
		this.books = books;
		this.transactions = transactions;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Adds somebody new.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Contact book not found}, {@code Duplicate contact} or
	 * {@code Contact limit reached}
	 */
	public Mono<Contact> create(Scope scope, UUID bookId, ContactForm form) {
		return Mono.defer(() -> {
			ContactEntry entry = ContactEntry.one(form);
			Mono<Contact> made = locked(scope, bookId).then(Mono.defer(() -> keep(scope, bookId, List.of(entry))))
				.map(List::getFirst)
				.filter(SaveResult::added)
				.switchIfEmpty(Mono.error(() -> ContactRefusals.DUPLICATE
					.because("This contact book has a contact with the address " + entry.email() + " already")))
				.map(SaveResult::contact);
			return this.transactions.in(scope, made);
		});
	}

	/**
	 * Adds or updates up to a thousand, all or none.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Contact book not found} or {@code Contact limit reached}
	 */
	public Mono<SaveCount> bulk(Scope scope, UUID bookId, List<@Nullable ContactForm> forms) {
		return Mono.defer(() -> {
			if (forms.isEmpty() || forms.size() > MOST) {
				throw ContactRefusals.INVALID.because("The body must be an array of 1 to " + MOST + " contacts");
			}
			return add(scope, bookId, ContactEntry.all(forms));
		});
	}

	/**
	 * Adds or updates contacts that were read before, each address once; all or none.
	 * @throws dev.mailroom.Refused {@code Contact book not found} or
	 * {@code Contact limit reached}
	 */
	public Mono<SaveCount> add(Scope scope, UUID bookId, List<ContactEntry> entries) {
		Mono<SaveCount> added = locked(scope, bookId).then(Mono.defer(() -> keep(scope, bookId, entries)))
			.map((kept) -> {
				long fresh = SaveResult.added(kept);
				return new SaveCount(fresh, kept.size() - fresh);
			});
		return this.transactions.in(scope, added);
	}

	/**
	 * Adds or updates the contact of this address.
	 * @param id whom the caller takes it to be: if that is somebody else in the book,
	 * nothing is done
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Contact book not found}, {@code Duplicate contact} or
	 * {@code Contact limit reached}
	 */
	public Mono<SaveResult> put(Scope scope, UUID bookId, UUID id, ContactForm form) {
		return Mono.defer(() -> {
			ContactEntry entry = ContactEntry.one(form);
			Mono<SaveResult> put = locked(scope, bookId).then(Mono.defer(() -> this.store.key(scope, bookId, id)))
				.filter((key) -> !key.equals(entry.emailKey()))
				.flatMap((_) -> Mono.<List<SaveResult>>error(() -> ContactRefusals.DUPLICATE
					.because("The contact " + id + " has another address than " + entry.email())))
				.switchIfEmpty(Mono.defer(() -> keep(scope, bookId, List.of(entry))))
				.map(List::getFirst);
			return this.transactions.in(scope, put);
		});
	}

	private Mono<Void> locked(Scope scope, UUID bookId) {
		return this.books.lockAccount(scope)
			.then(Mono.defer(() -> this.books.find(scope, bookId)))
			.switchIfEmpty(Mono.error(() -> ContactRefusals.noBook(bookId)))
			.then();
	}

	private Mono<List<SaveResult>> keep(Scope scope, UUID bookId, List<ContactEntry> entries) {
		return this.store.keep(scope, bookId, entries, this.clock.instant())
			.collectList()
			.delayUntil((kept) -> count(scope, bookId, SaveResult.added(kept)))
			.delayUntil((kept) -> this.events.record(SaveResult.events(kept)));
	}

	/** Whoever would come in too many takes the whole call back. */
	private Mono<Void> count(Scope scope, UUID bookId, long added) {
		return (added == 0) ? Mono.empty()
				: this.books.counted(scope, bookId, added)
					.then(Mono.defer(() -> this.books.holdsContacts(scope)))
					.filter(Boolean::booleanValue)
					.switchIfEmpty(Mono.error(() -> ContactRefusals.LIMIT
						.because("The plan does not hold so many contacts: delete some, or choose a larger plan")))
					.then();
	}

}
