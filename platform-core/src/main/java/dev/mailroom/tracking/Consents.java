package dev.mailroom.tracking;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.campaign.CampaignResults;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.Contacts;
import dev.mailroom.contact.Membership;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Unsubscribes and resubscribes contacts through the link in a mail. Repeated requests
 * have no further effect.
 */
@Service
public class Consents {

	private final Contacts contacts;

	private final CampaignResults campaigns;

	private final Transactions transactions;

	Consents(Contacts contacts, CampaignResults campaigns, Transactions transactions) {
		this.contacts = contacts;
		this.campaigns = campaigns;
		this.transactions = transactions;
	}

	/** The membership of a contact; empty if it is no longer in a book. */
	public Mono<Membership> of(Token.Unsubscribe token) {
		return this.contacts.membership(Scope.of(token.accountId()), token.contact());
	}

	/**
	 * Sets whether a contact is subscribed. The first unsubscription through the mail of
	 * a campaign is counted for the campaign.
	 * @return the new membership; empty if the contact is no longer in a book
	 */
	public Mono<Membership> set(Token.Unsubscribe token, boolean subscribed) {
		Scope scope = Scope.of(token.accountId());
		Contact.Change change = new Contact.Change(null, null, subscribed, null);
		Mono<Membership> work = this.contacts.membership(scope, token.contact())
			.flatMap((it) -> (it.subscribed() == subscribed) ? Mono.just(it) : this.contacts
				.change(scope, it.bookId(), token.contact(), change)
				.then(Mono.defer(() -> (token.campaignId() != null && !subscribed)
						? this.campaigns.countUnsubscribed(scope, token.campaignId(), token.contact()) : Mono.empty()))
				.thenReturn(new Membership(it.bookId(), it.book(), subscribed)));
		return this.transactions.in(scope, work);
	}

}
