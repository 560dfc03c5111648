package dev.mailroom.contact;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Changes many contacts of a book in steps. A step reads at most 20 000 contacts and
 * changes at most 1000 of them in one transaction, so that its time does not grow with
 * the book.
 */
@Service
public class SelectedContacts {

	private static final int MAX_READ = 20_000;

	private static final int MAX_CHANGED = 1000;

	private static final int MAX_NAME_LENGTH = 200;

	private final ContactListStore lists;

	private final ContactBookStore books;

	private final ContactIntake intake;

	private final Transactions transactions;

	private final Events events;

	SelectedContacts(ContactListStore lists, ContactBookStore books, ContactIntake intake, Transactions transactions,
			Events events) {
		this.lists = lists;
		this.books = books;
		this.intake = intake;
		this.transactions = transactions;
		this.events = events;
	}

	/**
	 * Makes one step of a change.
	 * @throws dev.mailroom.Refused {@code Contact book not found},
	 * {@code Contact limit reached} or {@code Invalid request data}
	 */
	public Mono<Step> change(Scope scope, Selection selection, Action action) {
		Mono<Step> changed = this.books.lockAccount(scope)
			.then(Mono.defer(() -> book(scope, selection.bookId())))
			.then(Mono.defer(() -> (action instanceof Copy copy) ? book(scope, copy.bookId()) : Mono.empty()))
			.then(Mono.defer(() -> {
				check(selection, action);
				return read(scope, selection);
			}))
			.flatMap((part) -> apply(scope, selection.bookId(), part.contacts(), action)
				.map((count) -> new Step(count.changed(), count.skipped(), part.next())));
		return this.transactions.in(scope, changed);
	}

	private Mono<ContactBook> book(Scope scope, UUID id) {
		return this.books.find(scope, id).switchIfEmpty(Mono.error(() -> ContactRefusals.missingBook(id)));
	}

	private static void check(Selection selection, Action action) {
		FieldErrors errors = new FieldErrors();
		if (selection.ids() != null && (selection.ids().isEmpty() || selection.ids().size() > MAX_CHANGED)) {
			errors.add("ids", "must be 1 to " + MAX_CHANGED);
		}
		if (action instanceof SetProperty property
				&& (property.name().isBlank() || property.name().length() > MAX_NAME_LENGTH)) {
			errors.add("property", "must have 1 to " + MAX_NAME_LENGTH + " characters");
		}
		if (action instanceof SetProperty property && property.value() != null) {
			ContactFields.checkProperties(errors, Map.of(property.name(), property.value()));
		}
		if (action instanceof Copy copy && copy.bookId().equals(selection.bookId())) {
			errors.add("target_book_id", "must be another book");
		}
		errors.refuseIfAny();
	}

	private Mono<Part> read(Scope scope, Selection selection) {
		if (selection.ids() != null) {
			return this.lists.lockAll(scope, selection.bookId(), selection.ids())
				.collectList()
				.map((contacts) -> new Part(contacts, null));
		}
		Page.Cursor after = (selection.after() != null) ? selection.after() : Page.Cursor.END;
		return this.lists.positionAfter(scope, selection.bookId(), after, MAX_READ)
			.defaultIfEmpty(Page.Cursor.START)
			.flatMap((last) -> this.lists
				.lockMatching(scope, selection.bookId(), selection.filter(), after, last, MAX_CHANGED)
				.collectList()
				.map((contacts) -> new Part(contacts, (contacts.size() == MAX_CHANGED) ? contacts.getLast().cursor()
						: last.equals(Page.Cursor.START) ? null : last)));
	}

	private Mono<Count> apply(Scope scope, UUID bookId, List<Contact> contacts, Action action) {
		if (contacts.isEmpty()) {
			return Mono.just(new Count(0, 0));
		}
		List<ContactEntry> entries = switch (action) {
			case Unsubscribe _ -> contacts.stream().map((contact) -> entry(contact, false, null)).toList();
			case SetProperty property -> contacts.stream().map(property::applied).flatMap(Optional::stream).toList();
			case Copy _ -> List.of();
		};
		return (action instanceof Copy copy) ? copy(scope, bookId, contacts, copy).map((count) -> new Count(count, 0))
				: save(scope, bookId, entries).map((count) -> new Count(count, contacts.size() - entries.size()));
	}

	private Mono<Long> save(Scope scope, UUID bookId, List<ContactEntry> entries) {
		return entries.isEmpty() ? Mono.just(0L) : this.intake.save(scope, bookId, entries)
			.map((saved) -> saved.stream().filter(SaveResult::changed).count());
	}

	private Mono<Long> copy(Scope scope, UUID bookId, List<Contact> contacts, Copy copy) {
		List<ContactEntry> entries = contacts.stream()
			.map((contact) -> new ContactEntry(contact.email(), key(contact), contact.firstName(), contact.lastName(),
					contact.subscribed(), contact.properties(), false, Consent.Origin.of(Consent.Source.WEB)))
			.toList();
		return this.lists.subscriptions(scope, copy.bookId(), entries.stream().map(ContactEntry::emailKey).toList())
			.delayUntil((_) -> copy.move() ? delete(scope, bookId, contacts) : Mono.empty())
			.flatMap((present) -> save(scope, copy.bookId(),
					entries.stream().filter((entry) -> !present.containsKey(entry.emailKey())).toList()))
			.map((added) -> copy.move() ? (long) contacts.size() : added);
	}

	private Mono<Void> delete(Scope scope, UUID bookId, List<Contact> contacts) {
		Collection<UUID> ids = contacts.stream().map(Contact::id).toList();
		return this.lists.delete(scope, bookId, ids)
			.map((contact) -> contact.event(EventKind.CONTACT_DELETED))
			.collectList()
			.delayUntil((deleted) -> this.books.addToCount(scope, bookId, -deleted.size()))
			.delayUntil(this.events::record)
			.then();
	}

	private static ContactEntry entry(Contact contact, @Nullable Boolean subscribed,
			@Nullable Map<String, @Nullable Object> properties) {
		return new ContactEntry(contact.email(), key(contact), null, null, subscribed, properties, false,
				Consent.Origin.of(Consent.Source.WEB));
	}

	private static String key(Contact contact) {
		return EmailAddress.parse(contact.email()).orElseThrow().key();
	}

	/**
	 * Contacts of a book.
	 *
	 * @param ids 1 to 1000 ids, of which unknown ones are ignored; null for those that
	 * match the filter
	 * @param after the position that the previous step returned; null for the first step
	 */
	public record Selection(UUID bookId, @Nullable List<UUID> ids, Contact.Filter filter, Page.@Nullable Cursor after) {
	}

	/** Contacts of a step, and the position after which the next one begins. */
	private record Part(List<Contact> contacts, Page.@Nullable Cursor next) {
	}

	/** Numbers of contacts of a step. */
	private record Count(long changed, long skipped) {
	}

	/**
	 * Result of a step.
	 *
	 * @param changed the number of contacts that were changed, moved or added
	 * @param skipped the number of contacts that stay as they are because their
	 * properties would be too long
	 * @param next the position after which the next step begins; null after the last
	 */
	public record Step(long changed, long skipped, Page.@Nullable Cursor next) {
	}

	/** A change of contacts. */
	public sealed interface Action {

	}

	/** Unsubscribes contacts, as if each had been changed by its own request. */
	public record Unsubscribe() implements Action {
	}

	/**
	 * Sets one property and leaves the others. A contact whose properties would be too
	 * long is skipped.
	 *
	 * @param value null removes the property
	 */
	public record SetProperty(String name, @Nullable Object value) implements Action {

		private Optional<ContactEntry> applied(Contact contact) {
			Map<String, @Nullable Object> properties = new LinkedHashMap<>(contact.properties());
			if (this.value != null) {
				properties.put(this.name, this.value);
			}
			else {
				properties.remove(this.name);
			}
			return ContactFields.isTooLong(properties) ? Optional.empty()
					: Optional.of(entry(contact, null, properties));
		}

	}

	/**
	 * Adds contacts to another book with their names, properties and subscription.
	 * Contacts that it has already stay as they are there. If it requires a confirmation,
	 * subscribed contacts are asked to confirm.
	 *
	 * @param move whether they leave their book
	 */
	public record Copy(UUID bookId, boolean move) implements Action {
	}

}
