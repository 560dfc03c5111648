package dev.mailroom.tracking;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.Contacts;
import dev.mailroom.contact.Membership;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Lets contacts leave their book, and come back, by the link in a mail. Said twice, it
 * changes nothing twice.
 */
@Service
public class Consents {

	private final Contacts contacts;

	private final Transactions transactions;

	Consents(Contacts contacts, Transactions transactions) {
		this.contacts = contacts;
		this.transactions = transactions;
	}

	/** Where a contact stands; empty where it is in no book any more. */
	public Mono<Membership> of(Token.Leave token) {
		return this.contacts.membership(Scope.of(token.accountId()), token.contact());
	}

	/**
	 * Sets whether a contact may be written to.
	 * @return where it stands now; empty where it is in no book any more
	 */
	public Mono<Membership> set(Token.Leave token, boolean subscribed) {
		Scope scope = Scope.of(token.accountId());
		Contact.Change change = new Contact.Change(null, null, subscribed, null);
		Mono<Membership> work = this.contacts.membership(scope, token.contact())
			.flatMap((it) -> (it.subscribed() == subscribed) ? Mono.just(it)
					: this.contacts.change(scope, it.bookId(), token.contact(), change)
						.thenReturn(new Membership(it.bookId(), it.book(), subscribed)));
		return this.transactions.in(scope, work);
	}

}
