package dev.mailroom.mail.log;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.People;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.BlobGone;
import dev.mailroom.blob.Blobs;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.Attempts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Submitters, deliveries, attempts and content of mails, of any number of them at once.
 */
@Service
public class MailDetails {

	private final MailDetailStore store;

	private final Transactions transactions;

	private final Attempts attempts;

	private final People people;

	private final Audits audits;

	private final Blobs blobs;

	MailDetails(MailDetailStore store, Transactions transactions, Attempts attempts, People people, Audits audits,
			Blobs blobs) {
		this.attempts = attempts;
		this.people = people;
		this.store = store;
		this.transactions = transactions;
		this.audits = audits;
		this.blobs = blobs;
	}

	/** The deliveries of mails of the account by mail, in the order of the recipients. */
	public Mono<Map<UUID, Collection<MailDelivery>>> deliveries(Scope scope, Collection<UUID> emailIds) {
		return this.transactions.in(scope,
				this.store.deliveries(scope, emailIds).collectMultimap(MailDelivery::emailId));
	}

	/** The attempts of mails of the account by mail, oldest first. */
	public Mono<Map<UUID, Collection<Attempts.Made>>> attempts(Scope scope, Collection<UUID> emailIds) {
		return this.transactions.in(scope, this.store.attempts(scope, emailIds)
			.collectMultimap(MailDetailStore.MailAttempt::emailId, (made) -> this.attempts.visible(made.attempt())));
	}

	/**
	 * The campaigns of mails of the account by mail, without those that were deleted.
	 */
	public Mono<Map<UUID, MailCampaign>> campaigns(Scope scope, Collection<UUID> emailIds) {
		return this.transactions.in(scope, this.store.campaigns(scope, emailIds).collectMap(MailCampaign::emailId));
	}

	/**
	 * The submitters of mails of the account by mail, without those of campaigns, those
	 * that Mailroom wrote and those accepted before submitters were recorded.
	 */
	public Mono<Map<UUID, MailSubmitter>> submitters(Scope scope, Collection<UUID> emailIds) {
		return this.transactions.in(scope, this.store.submitters(scope, emailIds).collectList())
			.flatMap((rows) -> names(rows).map((names) -> rows.stream()
				.map((row) -> row.submitter(names))
				.collect(Collectors.toMap(MailSubmitter::emailId, Function.identity()))));
	}

	/** Names of the people who still belong to the account. */
	private Mono<Map<UUID, String>> names(List<MailDetailStore.Submitted> rows) {
		Set<UUID> members = rows.stream().flatMap(MailDetailStore.Submitted::members).collect(Collectors.toSet());
		return members.isEmpty() ? Mono.just(Map.of())
				: this.people.find(members)
					.map((people) -> people.stream()
						.collect(Collectors.toMap(Account::id,
								(person) -> person.name().isBlank() ? person.email() : person.name())));
	}

	/** The content of a mail of the account; empty once it has been deleted. */
	public Mono<MailText> content(Scope scope, UUID emailId) {
		return this.transactions.in(scope, this.store.content(scope, emailId))
			.flatMap((stored) -> complete(scope, emailId, stored));
	}

	/**
	 * The content of another account's mail, which is recorded in the audit log.
	 * @param operator the operator who reads it
	 * @param reason the operator's reason
	 */
	public Mono<MailText> contentForOperator(Scope operator, Scope owner, UUID emailId, String reason) {
		Mono<MailDetailStore.Stored> read = this.audits
			.recordOperator(operator, owner.account(), Act.MAIL_READ, emailId, reason, Map.of())
			.then(Mono.defer(() -> this.store.content(owner, emailId)));
		return this.transactions.acrossAccounts(read).flatMap((stored) -> complete(owner, emailId, stored));
	}

	/** Reads from the bucket outside of the transaction, because it can take seconds. */
	private Mono<MailText> complete(Scope scope, UUID emailId, MailDetailStore.Stored stored) {
		return part(scope, emailId, stored, "html", stored.content().html())
			.flatMap((html) -> part(scope, emailId, stored, "text", stored.content().text())
				.map((text) -> new MailText(html.value(), text.value(), stored.content().headers(),
						stored.content().attachmentCount())));
	}

	private Mono<Part> part(Scope scope, UUID emailId, MailDetailStore.Stored stored, String name,
			@Nullable String inRow) {
		List<String> outside = stored.outside();
		return outside.contains(name) ? this.blobs.get(new Blob.Name(scope.account(), emailId, name))
			.map((bytes) -> new Part(new String(bytes, StandardCharsets.UTF_8)))
			.onErrorReturn(BlobGone.class, new Part(null)) : Mono.just(new Part(inRow));
	}

	/** A body; null if there is none. */
	private record Part(@Nullable String value) {
	}

}
