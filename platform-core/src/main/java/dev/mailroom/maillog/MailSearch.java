package dev.mailroom.maillog;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.email.Email;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Finds mails by recipient, subject, id and further conditions. A page is found among the
 * 20 000 mails that follow its beginning, so that its time is bounded without an index on
 * every recipient.
 */
@Service
public class MailSearch {

	static final int MAX_READ = 20_000;

	private static final int MIN_LENGTH = 2;

	private static final int MAX_LENGTH = 254;

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private final MailSearchStore store;

	private final Transactions transactions;

	private final Audits audits;

	MailSearch(MailSearchStore store, Transactions transactions, Audits audits) {
		this.store = store;
		this.transactions = transactions;
		this.audits = audits;
	}

	/**
	 * Mails of the account that match, newest first.
	 * @param text an id, or part of a recipient or of the subject, regardless of case;
	 * null for any mail
	 * @param filter further conditions, which a search by id ignores
	 * @param after the position after which the list begins; null for the newest
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the text is too short
	 * or too long
	 */
	public Mono<List<Email>> find(Scope scope, @Nullable String text, MailFilter filter, Page.@Nullable Cursor after,
			int limit) {
		return Mono.defer(() -> {
			Query query = (text != null) ? Query.of(text, after, limit) : new Query(null, "", after, limit);
			return this.transactions.list(scope, this.store.find(scope, query, filter).collectList());
		});
	}

	/**
	 * Mails of all accounts that match, newest first. The search is recorded in the audit
	 * log.
	 * @param reason the operator's reason
	 * @throws dev.mailroom.Refused as {@link #find}
	 */
	public Mono<List<Email>> findAcrossAccounts(Scope operator, String text, Page.@Nullable Cursor after, int limit,
			String reason) {
		return Mono.defer(() -> {
			Query query = Query.of(text, after, limit);
			Mono<List<Email>> found = this.audits
				.recordOperator(operator, null, Act.MAIL_SEARCHED, "", reason, Map.of("text", text))
				.then(Mono.defer(() -> this.store.findAcrossAccounts(query).collectList()));
			return this.transactions.acrossAccounts(found);
		});
	}

	/**
	 * A validated search.
	 *
	 * @param id the mail's id; null if the text is not an id
	 * @param text in lower case; empty for any mail
	 */
	record Query(@Nullable UUID id, String text, Page.@Nullable Cursor after, int limit) {

		static Query of(String text, Page.@Nullable Cursor after, int limit) {
			String part = text.strip().replace('\0', '\uFFFD').toLowerCase(Locale.ROOT);
			if (part.length() < MIN_LENGTH || part.length() > MAX_LENGTH) {
				String message = "must have " + MIN_LENGTH + " to " + MAX_LENGTH + " characters";
				throw INVALID.because("search " + message, List.of(new Refusal.Detail("search", message)));
			}
			return new Query(id(part), part, after, limit);
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
