package dev.mailroom.inbound;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.BlobGone;
import dev.mailroom.blob.Blobs;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Received mail of an account. The scope of an API key is limited to its domain. */
@Service
public class InboundEmails {

	/** Beginning of a mail in which its header is read. */
	private static final int MAX_HEADER_BYTES = 256 * 1024;

	private final InboundStore store;

	private final Transactions transactions;

	private final Blobs blobs;

	InboundEmails(InboundStore store, Transactions transactions, Blobs blobs) {
		this.store = store;
		this.transactions = transactions;
		this.blobs = blobs;
	}

	/**
	 * Lists mails, newest first, and counts them.
	 * @param domainId the domain of the mails; null for all
	 */
	public Mono<Page<InboundEmail>> list(Scope scope, @Nullable UUID domainId, Page.Request page) {
		Mono<Page<InboundEmail>> emails = this.store.list(scope, domainId, page)
			.collectList()
			.flatMap((rows) -> this.store.count(scope, domainId)
				.map((total) -> Page.cut(rows, page, total, InboundEmail::cursor)));
		return this.transactions.list(scope, emails);
	}

	/**
	 * The mails of a page in the order in which it reads them, and one more than it holds
	 * if there are more. They are not counted.
	 * @param domainId the domain of the mails; null for all
	 * @param text a text in the subject, the sender or a recipient, among the newest 20
	 * 000 mails; null or blank for all
	 */
	public Mono<List<InboundEmail>> read(Scope scope, @Nullable UUID domainId, @Nullable String text,
			Page.Request page) {
		Flux<InboundEmail> found = (text == null || text.isBlank()) ? this.store.list(scope, domainId, page)
				: this.store.find(scope, domainId, text.strip().toLowerCase(Locale.ROOT), page);
		return this.transactions.list(scope, found.collectList());
	}

	/**
	 * Finds a mail with its content.
	 * @throws dev.mailroom.Refused {@code Inbound email not found}
	 */
	public Mono<InboundEmail.Whole> find(Scope scope, UUID id) {
		Mono<InboundEmail.Whole> email = this.store.find(scope, id)
			.flatMap((row) -> this.store.text(scope, id)
				.defaultIfEmpty(new InboundEmail.Text(null, null))
				.flatMap((text) -> this.store.files(scope, id)
					.collectList()
					.flatMap((files) -> this.store.recipients(scope, id)
						.map((recipients) -> new InboundEmail.Whole(row, recipients, text, files)))));
		return required(scope, id, email);
	}

	/**
	 * The bytes of a mail as it was received.
	 * @throws dev.mailroom.Refused {@code Inbound email not found} or
	 * {@code Service unavailable}
	 */
	public Mono<byte[]> raw(Scope scope, UUID id) {
		return required(scope, id, this.store.raw(scope, id))
			.flatMap((stored) -> bytes(new Blob.Name(scope.account(), id, MailCopy.RAW), stored));
	}

	/**
	 * The fields of the header of a mail, in their order. Encoded words stay encoded.
	 * @throws dev.mailroom.Refused {@code Inbound email not found} or
	 * {@code Service unavailable}
	 */
	public Mono<List<InboundEmail.Header>> headers(Scope scope, UUID id) {
		return raw(scope, id).map(InboundEmails::headers);
	}

	/**
	 * The content of an attachment.
	 * @param position the number among the mail's attachments, from 0
	 * @throws dev.mailroom.Refused {@code Inbound email not found} or
	 * {@code Service unavailable}
	 */
	public Mono<InboundEmail.FileContent> attachment(Scope scope, UUID id, int position) {
		return this.transactions.in(scope, this.store.content(scope, id, position))
			.switchIfEmpty(Mono.error(() -> InboundRefusals.noAttachment(id, position)))
			.flatMap((stored) -> bytes(new Blob.Name(scope.account(), id, Integer.toString(position)), stored)
				.map((bytes) -> new InboundEmail.FileContent(stored.name(), stored.type(), bytes)));
	}

	/** Unfolds and divides the lines before the first empty one (RFC 5322 2.2). */
	private static List<InboundEmail.Header> headers(byte[] mail) {
		String text = new String(mail, 0, Math.min(mail.length, MAX_HEADER_BYTES), StandardCharsets.UTF_8);
		String head = text.split("\\r?\\n\\r?\\n", 2)[0].replaceAll("\\r?\\n(?=[ \\t])", "");
		return head.lines()
			.filter((line) -> line.indexOf(':') > 0)
			.map((line) -> new InboundEmail.Header(line.substring(0, line.indexOf(':')).strip(),
					line.substring(line.indexOf(':') + 1).strip()))
			.toList();
	}

	/** Reads from the bucket outside of a transaction, because it can take seconds. */
	private Mono<byte[]> bytes(Blob.Name name, StoredContent stored) {
		return (stored.content() != null) ? Mono.just(stored.content())
				: this.blobs.get(name)
					.onErrorMap((error) -> (error instanceof BlobGone) ? InboundRefusals.missing(name.ownerId())
							: InboundRefusals.unavailable(error));
	}

	private <T> Mono<T> required(Scope scope, UUID id, Mono<T> result) {
		return this.transactions.in(scope, result).switchIfEmpty(Mono.error(() -> InboundRefusals.missing(id)));
	}

}
