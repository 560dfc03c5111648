package dev.mailroom.tracking;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.campaign.CampaignResults;
import dev.mailroom.contact.Consent;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.Contacts;
import dev.mailroom.contact.Subscriptions;
import dev.mailroom.contact.Subscriptions.BookMembership;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Unsubscribes, resubscribes and confirms contacts through the links in mails. Repeated
 * requests have no further effect.
 */
@Service
public class Consents {

	private final Subscriptions subscriptions;

	private final Contacts contacts;

	private final CampaignResults campaigns;

	private final Transactions transactions;

	private final Clock clock;

	Consents(Subscriptions subscriptions, Contacts contacts, CampaignResults campaigns, Transactions transactions,
			Clock clock) {
		this.subscriptions = subscriptions;
		this.contacts = contacts;
		this.campaigns = campaigns;
		this.transactions = transactions;
		this.clock = clock;
	}

	/**
	 * The membership of a contact, also of a deleted one; empty if its book was deleted.
	 */
	public Mono<BookMembership> of(TrackingToken.Unsubscribe token) {
		return this.subscriptions.lastMembership(Scope.of(token.accountId()), token.contact());
	}

	/**
	 * Sets whether a contact is subscribed, or will be if it was deleted and is added
	 * again. The first unsubscription through the mail of a campaign is counted for the
	 * campaign.
	 * @return the new membership; empty if the book was deleted
	 */
	public Mono<BookMembership> set(TrackingToken.Unsubscribe token, boolean subscribed) {
		Scope scope = Scope.of(token.accountId());
		return this.transactions.in(scope, set(token, token.contact(), subscribed).then(Mono.defer(() -> of(token))));
	}

	private Mono<Void> set(TrackingToken.Unsubscribe token, UUID contact, boolean subscribed) {
		Scope scope = Scope.of(token.accountId());
		return this.subscriptions.decide(scope, contact, subscribed)
			.map(Contact::id)
			.switchIfEmpty(this.subscriptions.decideFormer(scope, contact, subscribed))
			.flatMap((_) -> (token.campaignId() != null && !subscribed && contact.equals(token.contact()))
					? this.campaigns.countUnsubscribed(scope, token.campaignId(), contact) : Mono.empty());
	}

	/**
	 * The memberships of the person to whom the mail was sent, in all books of the
	 * account; empty if the contact is no longer in a book.
	 */
	public Flux<BookMembership> preferences(TrackingToken.Unsubscribe token) {
		return this.subscriptions.memberships(Scope.of(token.accountId()), token.contact());
	}

	/**
	 * Changes the memberships of the person to whom the mail was sent. Contacts of other
	 * persons are ignored.
	 * @return the memberships after that; empty if the contact is no longer in a book
	 */
	public Flux<BookMembership> change(TrackingToken.Unsubscribe token, Preferences preferences) {
		Flux<BookMembership> changed = preferences(token).filter((it) -> preferences.shown().contains(it.id()))
			.collectSortedList(Comparator.comparing(BookMembership::id))
			.flatMapMany((memberships) -> change(token, memberships, preferences))
			.thenMany(Flux.defer(() -> preferences(token)));
		return this.transactions.in(Scope.of(token.accountId()), changed);
	}

	private Flux<Void> change(TrackingToken.Unsubscribe token, List<BookMembership> memberships,
			Preferences preferences) {
		boolean renamed = memberships.stream()
			.anyMatch((it) -> it.id().equals(token.contact()) && !preferences.isNameOf(it));
		return Flux.fromIterable(memberships).concatMap((it) -> {
			boolean subscribed = preferences.subscribed().contains(it.id());
			Mono<Void> name = (renamed && !preferences.isNameOf(it)) ? rename(token, it, preferences) : Mono.empty();
			return name.then((it.subscribed() != subscribed) ? set(token, it.id(), subscribed) : Mono.empty());
		});
	}

	private Mono<Void> rename(TrackingToken.Unsubscribe token, BookMembership membership, Preferences preferences) {
		Contact.Change change = new Contact.Change(preferences.firstName(), preferences.lastName(), null, null,
				Consent.Source.FORM);
		return this.contacts.change(Scope.of(token.accountId()), membership.bookId(), membership.id(), change).then();
	}

	/**
	 * The membership that a link confirms; empty if the contact is no longer in a book.
	 */
	public Mono<BookMembership> of(TrackingToken.Confirmation token) {
		return this.subscriptions.membership(Scope.of(token.accountId()), token.contact());
	}

	/** Whether the link of a confirmation is too old. */
	public boolean isExpired(TrackingToken.Confirmation token) {
		return token.isExpired(this.clock.instant());
	}

	/**
	 * Subscribes a contact whose consent is pending, unless the link has expired.
	 * @return the membership after that; empty if the contact is no longer in a book
	 */
	public Mono<BookMembership> confirm(TrackingToken.Confirmation token) {
		Scope scope = Scope.of(token.accountId());
		Mono<?> confirmed = isExpired(token) ? Mono.empty() : this.subscriptions.confirm(scope, token.contact());
		return this.transactions.in(scope, confirmed.then(Mono.defer(() -> of(token))));
	}

	/**
	 * Choices of a person on the page of all memberships.
	 *
	 * @param shown contacts that the page showed
	 * @param subscribed those of them that are to be subscribed
	 * @param firstName name of the person; if it is changed, it is that of all contacts
	 */
	public record Preferences(Set<UUID> shown, Set<UUID> subscribed, String firstName, String lastName) {

		public Preferences {
			shown = Set.copyOf(shown);
			subscribed = Set.copyOf(subscribed);
		}

		private boolean isNameOf(BookMembership membership) {
			return membership.firstName().equals(this.firstName) && membership.lastName().equals(this.lastName);
		}

	}

}
