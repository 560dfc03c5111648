package dev.mailroom.email;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.accept.Committer;
import dev.mailroom.accept.ContentUpload;
import dev.mailroom.accept.EmailRefusals;
import dev.mailroom.accept.SendRequest;
import dev.mailroom.accept.SendResult;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Mails, from their acceptance to what their sender sees of them. */
@Service
public class Emails {

	private final Committer committer;

	private final ContentUpload stowage;

	private final Transactions transactions;

	private final EmailStore store;

	private final EmailLog log;

	Emails(Committer committer, ContentUpload stowage, Transactions transactions, EmailStore store, EmailLog log) {
		this.committer = committer;
		this.stowage = stowage;
		this.transactions = transactions;
		this.store = store;
		this.log = log;
	}

	/**
	 * Accepts a request to send. What it says is accepted is durable.
	 * @throws dev.mailroom.Refused as the contract's rows of POST /emails have it
	 */
	public Mono<SendResult> accept(SendRequest request) {
		return this.stowage.takes(request) ? this.stowage.stow(request).flatMap(this.committer::submit)
				: this.committer.submit(request);
	}

	/** One mail with how far it has come with each recipient. */
	public Mono<Seen> find(Scope scope, UUID id) {
		Mono<Seen> seen = this.store.find(scope, id)
			.flatMap((email) -> this.store.recipients(scope, id)
				.collectList()
				.map((recipients) -> new Seen(email, recipients)));
		return this.transactions.in(scope, seen).switchIfEmpty(Mono.error(() -> missing(id)));
	}

	/**
	 * The email, if the caller may see it.
	 * @throws dev.mailroom.Refused {@code Email not found}
	 */
	public Mono<Email> requireVisible(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id)).switchIfEmpty(Mono.error(() -> missing(id)));
	}

	/** The account's mails, newest first; for a key only its domain's. */
	public Mono<Page<Email>> list(Scope scope, Email.Filter filter, Page.Request page) {
		return this.transactions.in(scope, this.log.list(scope, filter, page));
	}

	static RuntimeException missing(UUID id) {
		return EmailRefusals.NOT_FOUND.because("There is no email " + id);
	}

	/** A mail and its recipients. */
	public record Seen(Email email, List<Email.Recipient> recipients) {
	}

}
