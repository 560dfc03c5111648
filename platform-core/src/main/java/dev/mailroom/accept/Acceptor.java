package dev.mailroom.accept;

import java.time.Clock;
import java.time.Instant;
import java.util.List;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Transactions;
import dev.mailroom.blob.Blobs;
import dev.mailroom.event.Events;
import dev.mailroom.idempotency.Idempotency;
import dev.mailroom.quota.Quotas;
import dev.mailroom.suppression.Suppressions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Accepts a group of requests in one transaction: keys claimed, standing looked at, quota
 * taken, mails and deliveries inserted, answers kept. Either all of it is durable or
 * nothing.
 */
@Component
class Acceptor {

	private final Transactions transactions;

	private final Idempotency idempotency;

	private final Quotas quotas;

	private final Suppressions suppressions;

	private final AcceptStore store;

	private final Events events;

	private final Blobs blobs;

	private final NoArgGenerator ids;

	private final Clock clock;

	Acceptor(Transactions transactions, Idempotency idempotency, Quotas quotas, Suppressions suppressions,
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
	 * Takes the group through.
	 * @return the mails that are in the queue now, after the commit
	 */
	Mono<List<NewEmail>> accept(Group group) {
		Instant now = this.clock.instant();
		Mono<List<NewEmail>> work = this.idempotency.claim(group.claims())
			.doOnNext(group::claimed)
			.then(Mono.defer(() -> this.store.standings(group.senders()).collectMap(SenderStatus::key)))
			.doOnNext(group::judge)
			.then(Mono.defer(() -> this.quotas.take(group.wants(), now)))
			.doOnNext(group::granted)
			.then(Mono.defer(() -> this.suppressions.among(group.enter(this.ids, now))))
			.map(group::entries)
			.flatMap((entries) -> this.store.insert(entries, now).thenReturn(entries))
			.delayUntil((entries) -> this.blobs.refer(entries.stream().flatMap(NewEmail::blobs).toList()))
			.delayUntil((entries) -> this.events.record(entries.stream().flatMap(NewEmail::events).toList()))
			.delayUntil((_) -> this.idempotency.keep(group.answers()))
			.delayUntil((_) -> this.idempotency.release(group.released()));
		return this.transactions.of(group.accounts(), work);
	}

}
