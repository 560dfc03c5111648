package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.contact.Contact;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Finds mails by recipient, subject, id and further conditions. A page is found among the
 * 20 000 mails that follow its beginning, or precede its end, so that its time is bounded
 * without an index on every recipient. Of bounced, complained and failed mails, 20 000 of
 * the status are read.
 */
@Service
public class MailSearch {

	static final int MAX_READ = 20_000;

	private static final int MIN_LENGTH = 2;

	private static final int MAX_LENGTH = 254;

	private final MailSearchStore store;

	private final Transactions transactions;

	private final Audits audits;

	MailSearch(MailSearchStore store, Transactions transactions, Audits audits) {
		this.store = store;
		this.transactions = transactions;
		this.audits = audits;
	}

	/**
	 * Mails of the account that match, in the order in which the page reads them, and one
	 * more than it holds if there are more.
	 * @param text an id, or part of a recipient or of the subject, regardless of case;
	 * null for any mail
	 * @param filter further conditions, which a search by id ignores
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the text is too short
	 * or too long
	 */
	public Mono<List<Email>> find(Scope scope, @Nullable String text, MailFilter filter, Page.Request page) {
		return Mono.defer(() -> {
			Query query = (text != null) ? Query.of(text, page) : new Query(null, "", page);
			return this.transactions.list(scope, this.store.find(scope, query, filter).collectList());
		});
	}

	/**
	 * The newest mails to a contact: those of the 200 newest campaigns that have started,
	 * and those to its address among the 20 000 newest mails of the account. The times at
	 * which the person unsubscribed through these campaigns are read with them.
	 */
	public Mono<ContactMails> toContact(Scope scope, Contact contact) {
		return this.transactions.list(scope,
				this.store.toContact(scope, contact)
					.collectList()
					.flatMap((mails) -> this.store.unsubscriptions(scope, contact.id())
						.collectList()
						.map((unsubscriptions) -> new ContactMails(mails, unsubscriptions))));
	}

	/**
	 * Mails of all accounts that match, as in {@link #find} but among the newest only.
	 * The search is recorded in the audit log.
	 * @param reason the operator's reason
	 * @throws dev.mailroom.Refused as {@link #find}
	 */
	public Mono<List<Email>> findAcrossAccounts(Scope operator, String text, Page.Request page, String reason) {
		return Mono.defer(() -> {
			Query query = Query.of(text, page);
			Mono<List<Email>> found = this.audits
				.recordOperator(operator, null, Act.MAIL_SEARCHED, "", reason, Map.of("text", text))
				.then(Mono.defer(() -> this.store.findAcrossAccounts(query).collectList()));
			return this.transactions.acrossAccounts(found);
		});
	}

	/** Mails to a contact, newest first, and unsubscriptions through campaigns. */
	public record ContactMails(List<Email> emails, List<Unsubscription> unsubscriptions) {
	}

	/** The unsubscription of a contact by the link in the mail of a campaign. */
	public record Unsubscription(UUID campaignId, String campaignName, Instant at) {
	}

	/**
	 * A validated search.
	 *
	 * @param id the mail's id; null if the text is not an id
	 * @param text in lower case; empty for any mail
	 */
	record Query(@Nullable UUID id, String text, Page.Request page) {

		static Query of(String text, Page.Request page) {
			String part = text.strip().replace('\0', '\uFFFD').toLowerCase(Locale.ROOT);
			if (part.length() < MIN_LENGTH || part.length() > MAX_LENGTH) {
				String message = "must have " + MIN_LENGTH + " to " + MAX_LENGTH + " characters";
				throw Refusal.INVALID_REQUEST.field("search", message);
			}
			return new Query(id(part), part, page);
		}

		private static @Nullable UUID id(String text) {
			try {
				UUID id = UUID.fromString(text);
				return id.toString().equals(text) ? id : null;
			}
			catch (IllegalArgumentException _) {
				return null;
			}
		}

	}

}
