package dev.mailroom.contact;

import java.time.Clock;
import java.util.UUID;

import dev.mailroom.ClientNetwork;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Events;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Subscriptions of persons to contact books, changed by the persons themselves through
 * links in mails. Repeated requests have no further effect.
 */
@Service
public class Subscriptions {

	/** Memberships shown to a person. */
	private static final int MAX_MEMBERSHIPS = 200;

	private final ContactChangeStore store;

	private final ContactStore contacts;

	private final Transactions transactions;

	private final Events events;

	private final Clock clock;

	Subscriptions(ContactChangeStore store, ContactStore contacts, Transactions transactions, Events events,
			Clock clock) {
		this.store = store;
		this.contacts = contacts;
		this.transactions = transactions;
		this.events = events;
		this.clock = clock;
	}

	/** The membership of a contact; empty for an unknown id. */
	public Mono<BookMembership> membership(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.membership(scope, id));
	}

	/**
	 * The membership of a contact; of a deleted one, the membership that it would have if
	 * its address is added again. Empty for an unknown id.
	 */
	public Mono<BookMembership> lastMembership(Scope scope, UUID id) {
		return this.transactions.in(scope,
				this.store.membership(scope, id).switchIfEmpty(this.store.formerMembership(scope, id)));
	}

	/**
	 * The memberships of all contacts of the account with the same address, by name of
	 * the book; empty for an unknown id.
	 */
	public Flux<BookMembership> memberships(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.memberships(scope, id, MAX_MEMBERSHIPS));
	}

	/**
	 * Subscribes or unsubscribes a contact. Subscribing is a confirmed consent,
	 * unsubscribing a pending contact withdraws the request.
	 * @return the changed contact; empty if nothing has changed
	 */
	public Mono<Contact> decide(Scope scope, UUID id, boolean subscribed) {
		return decide(scope, id, subscribed, false);
	}

	/**
	 * Notes for a deleted contact whether the person wants to be subscribed if the
	 * address is added again.
	 * @return the id; empty if nothing has changed
	 */
	public Mono<UUID> decideFormer(Scope scope, UUID id, boolean subscribed) {
		return this.transactions.in(scope, this.store.decideFormer(scope, id, subscribed));
	}

	/**
	 * Subscribes a contact whose consent is pending.
	 * @return the changed contact; empty if its consent is not pending
	 */
	public Mono<Contact> confirm(Scope scope, UUID id) {
		return decide(scope, id, true, true);
	}

	private Mono<Contact> decide(Scope scope, UUID id, boolean subscribed, boolean pendingOnly) {
		Mono<Contact> decided = ClientNetwork.address()
			.flatMap((address) -> this.store.decide(scope, id, subscribed, pendingOnly, address, this.clock.instant()))
			.delayUntil((saved) -> this.events.record(saved.events().toList()))
			.map(SaveResult::contact);
		return this.transactions.in(scope, decided);
	}

	/**
	 * Sends the mail that asks a pending contact to confirm once more: one a day, and
	 * three in all.
	 * @throws dev.mailroom.Refused {@code Contact not found}, {@code Invalid request
	 * data} if the consent is not pending, or {@code Rate limit exceeded}
	 */
	public Mono<Contact> repeatMail(Scope scope, UUID bookId, UUID id) {
		Mono<Contact> requested = this.contacts.find(scope, bookId, id)
			.switchIfEmpty(Mono.error(() -> ContactRefusals.missingContact(id)))
			.flatMap((contact) -> (contact.consent().state() == Consent.State.PENDING) ? Mono.just(contact)
					: Mono.error(ContactRefusals::notPending))
			.delayUntil((contact) -> this.store.requestMail(scope, contact, this.clock.instant())
				.switchIfEmpty(Mono.error(ContactRefusals::tooManyMails)));
		return this.transactions.in(scope, requested);
	}

	/**
	 * A contact's subscription to its book.
	 *
	 * @param id the contact
	 * @param book the book's name for recipients
	 * @param subscribed whether campaigns may be sent to the contact
	 * @param pending whether the person has not confirmed yet
	 */
	public record BookMembership(UUID id, UUID bookId, String book, boolean subscribed, boolean pending,
			String firstName, String lastName) {
	}

}
