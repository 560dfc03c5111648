package dev.mailroom.email;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Mails, from their acceptance to what their sender sees of them. */
@Service
public class Emails {

	private final Committer committer;

	private final Stowage stowage;

	private final Transactions transactions;

	private final EmailStore store;

	private final EmailLog log;

	private final Events events;

	Emails(Committer committer, Stowage stowage, Transactions transactions, EmailStore store, EmailLog log,
			Events events) {
		this.committer = committer;
		this.stowage = stowage;
		this.transactions = transactions;
		this.store = store;
		this.log = log;
		this.events = events;
	}

	/**
	 * Accepts a request to send. What it says is accepted is durable.
	 * @throws dev.mailroom.Refused as the contract's rows of POST /emails have it
	 */
	public Mono<Reception> accept(Request request) {
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

	/** What happened to one mail, newest first. */
	public Mono<Page<Events.Recorded>> events(Scope scope, UUID id, Page.Request page) {
		Mono<Page<Events.Recorded>> found = this.store.find(scope, id).flatMap((_) -> this.events.of(scope, id, page));
		return this.transactions.in(scope, found).switchIfEmpty(Mono.error(() -> missing(id)));
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
