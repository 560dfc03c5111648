package dev.mailroom.accept;

import java.time.Clock;
import java.time.Instant;
import java.util.List;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Transactions;
import dev.mailroom.accept.SendPolicy.SenderStatus;
import dev.mailroom.blob.Blobs;
import dev.mailroom.event.Events;
import dev.mailroom.idempotency.Idempotency;
import dev.mailroom.quota.Quotas;
import dev.mailroom.suppression.Suppressions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Commits a group of requests in one transaction: claims their keys, checks their
 * senders, reserves quota, inserts emails and deliveries, and stores the results.
 */
@Component
class GroupCommit {

	private final Transactions transactions;

	private final Idempotency idempotency;

	private final Quotas quotas;

	private final Suppressions suppressions;

	private final AcceptStore store;

	private final Events events;

	private final Blobs blobs;

	private final NoArgGenerator ids;

	private final Clock clock;

	GroupCommit(Transactions transactions, Idempotency idempotency, Quotas quotas, Suppressions suppressions,
			AcceptStore store, Events events, Blobs blobs, NoArgGenerator ids, Clock clock) {
		this.transactions = transactions;
		this.idempotency = idempotency;
		this.quotas = quotas;
		this.suppressions = suppressions;
		this.store = store;
		this.events = events;
		this.blobs = blobs;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Runs the transaction.
	 * @return the emails that were inserted, after the commit
	 */
	Mono<List<NewEmail>> commit(Group group) {
		Instant now = this.clock.instant();
		Mono<List<NewEmail>> work = this.idempotency.claim(group.claims())
			.doOnNext(group::claimed)
			.then(Mono.defer(() -> this.store.senderStatuses(group.senders()).collectMap(SenderStatus::sender)))
			.doOnNext(group::check)
			.then(Mono.defer(() -> this.quotas.reserve(group.reservations(), now)))
			.doOnNext(group::reserved)
			.then(Mono.defer(() -> this.suppressions.among(group.createEmails(this.ids, now))))
			.map(group::emails)
			.flatMap((emails) -> this.store.insert(emails, now).thenReturn(emails))
			.delayUntil((emails) -> this.blobs.refer(emails.stream().flatMap(NewEmail::blobs).toList()))
			.delayUntil((emails) -> this.events.record(emails.stream().flatMap(NewEmail::events).toList()))
			.delayUntil((_) -> this.idempotency.store(group.results()))
			.delayUntil((_) -> this.idempotency.release(group.released()));
		return this.transactions.of(group.accounts(), work);
	}

}
