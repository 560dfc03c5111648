package dev.mailroom.mail.log;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.draft.EmailRefusals;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Emails of an account, as shown to their sender. */
@Service
public class Emails {

	/** Times that anchors are created for one page before it is read without them. */
	private static final int MAX_CREATIONS = 3;

	private final Transactions transactions;

	private final EmailStore store;

	private final EmailLog log;

	private final PageAnchors anchors;

	Emails(Transactions transactions, EmailStore store, EmailLog log, PageAnchors anchors) {
		this.transactions = transactions;
		this.store = store;
		this.log = log;
		this.anchors = anchors;
	}

	/**
	 * An email with the delivery status of each recipient.
	 * @throws dev.mailroom.Refused {@code Email not found}
	 */
	public Mono<Detail> find(Scope scope, UUID id) {
		Mono<Detail> detail = this.store.find(scope, id)
			.flatMap((email) -> this.store.recipients(scope, id)
				.collectList()
				.map((recipients) -> new Detail(email, recipients)));
		return this.transactions.in(scope, detail).switchIfEmpty(Mono.error(() -> notFound(id)));
	}

	/**
	 * The email, if the caller may see it.
	 * @throws dev.mailroom.Refused {@code Email not found}
	 */
	public Mono<Email> requireVisible(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id)).switchIfEmpty(Mono.error(() -> notFound(id)));
	}

	/** The account's emails, newest first; with an API key, those of its domain. */
	public Mono<Page<Email>> list(Scope scope, Email.Filter filter, Page.Request page) {
		return list(scope, filter, page, MAX_CREATIONS);
	}

	private Mono<Page<Email>> list(Scope scope, Email.Filter filter, Page.Request page, int creations) {
		return this.transactions.list(scope, this.log.list(scope, filter, page, creations > 0))
			.onErrorResume(PageAnchors.Missing.class,
					(missing) -> this.transactions.in(scope, this.anchors.create(scope, missing))
						.then(list(scope, filter, page, creations - 1)));
	}

	static RuntimeException notFound(UUID id) {
		return EmailRefusals.NOT_FOUND.because("There is no email " + id);
	}

	/** An email and its recipients. */
	public record Detail(Email email, List<Email.Recipient> recipients) {
	}

}
