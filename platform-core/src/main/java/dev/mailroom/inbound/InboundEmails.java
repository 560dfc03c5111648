package dev.mailroom.inbound;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.BlobGone;
import dev.mailroom.blob.Blobs;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The mails that came in for an account; an API key sees those of its own domain. */
@Service
public class InboundEmails {

	private final InboundStore store;

	private final Transactions transactions;

	private final Blobs blobs;

	InboundEmails(InboundStore store, Transactions transactions, Blobs blobs) {
		this.store = store;
		this.transactions = transactions;
		this.blobs = blobs;
	}

	/**
	 * The mails, newest first.
	 * @param domainId only those of this domain; null for all
	 */
	public Mono<Page<InboundEmail>> list(Scope scope, @Nullable UUID domainId, Page.Request page) {
		Mono<Page<InboundEmail>> found = this.store.list(scope, domainId, page)
			.collectList()
			.flatMap((emails) -> this.store.count(scope, domainId)
				.map((total) -> Page.cut(emails, page, total, InboundEmail::cursor)));
		return this.transactions.in(scope, found);
	}

	/** One mail with what it says. */
	public Mono<InboundEmail.Whole> find(Scope scope, UUID id) {
		Mono<InboundEmail.Whole> found = this.store.find(scope, id)
			.flatMap((email) -> this.store.text(scope, id)
				.defaultIfEmpty(new InboundEmail.Text(null, null))
				.flatMap((text) -> this.store.files(scope, id)
					.collectList()
					.flatMap((files) -> this.store.recipients(scope, id)
						.map((recipients) -> new InboundEmail.Whole(email, recipients, text, files)))));
		return known(scope, id, found);
	}

	/** A mail as it came in, byte for byte. */
	public Mono<byte[]> raw(Scope scope, UUID id) {
		return known(scope, id, this.store.raw(scope, id))
			.flatMap((stored) -> bytes(new Blob.Name(scope.account(), id, MailCopy.RAW), stored));
	}

	/**
	 * A file that came with a mail.
	 * @param position its place among the mail's files, from 0
	 */
	public Mono<InboundEmail.Content> attachment(Scope scope, UUID id, int position) {
		return this.transactions.in(scope, this.store.content(scope, id, position))
			.switchIfEmpty(Mono.error(() -> InboundRefusals.noAttachment(id, position)))
			.flatMap((stored) -> bytes(new Blob.Name(scope.account(), id, Integer.toString(position)), stored)
				.map((bytes) -> new InboundEmail.Content(stored.name(), stored.type(), bytes)));
	}

	/** Outside of any transaction: the bucket may take its time. */
	private Mono<byte[]> bytes(Blob.Name name, StoredContent stored) {
		return (stored.content() != null) ? Mono.just(stored.content())
				: this.blobs.get(name)
					.onErrorMap((error) -> (error instanceof BlobGone) ? InboundRefusals.missing(name.ownerId())
							: InboundRefusals.away(error));
	}

	private <T> Mono<T> known(Scope scope, UUID id, Mono<T> found) {
		return this.transactions.in(scope, found).switchIfEmpty(Mono.error(() -> InboundRefusals.missing(id)));
	}

}
