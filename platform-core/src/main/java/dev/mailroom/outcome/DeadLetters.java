package dev.mailroom.outcome;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Where poison is kept, so that it stops nothing and is not forgotten. */
@Service
public class DeadLetters {

	private static final int MOST = 100;

	private final DeadLetterStore store;

	private final OutcomeStore outcomes;

	private final Transactions transactions;

	DeadLetters(DeadLetterStore store, OutcomeStore outcomes, Transactions transactions) {
		this.store = store;
		this.outcomes = outcomes;
		this.transactions = transactions;
	}

	/**
	 * Keeps that a record of the topic names no delivery. Read again, it is no other.
	 * @param where its topic, partition and offset
	 */
	public Mono<Void> unreadable(String where, String why) {
		UUID id = UUID.nameUUIDFromBytes(where.getBytes(StandardCharsets.UTF_8));
		return this.transactions.acrossAccounts(this.store.insert(id, where + ": " + why));
	}

	/** The newest of them. */
	public Mono<List<DeadLetter>> newest() {
		return this.transactions.acrossAccounts(this.store.newest(MOST).collectList());
	}

	/**
	 * Puts a mail that died back into the queue: once, for what kills it twice would
	 * always.
	 * @return whether it is there now
	 */
	public Mono<Boolean> requeue(UUID id) {
		Mono<Boolean> work = this.store.requeue(id)
			.collectMap((email) -> email, (_) -> "queued")
			.delayUntil(this.outcomes::hold)
			.delayUntil(this.outcomes::refresh)
			.map((emails) -> !emails.isEmpty());
		return this.transactions.acrossAccounts(work);
	}

	/** Keeps what died of a group, in the transaction that settles it. */
	Mono<Void> record(List<Settlement> settlements, List<SettledDelivery> changes) {
		Set<UUID> dead = settlements.stream()
			.filter((one) -> one.outcome() instanceof Outcome.Failed failed && failed.dead())
			.map((one) -> one.lease().delivery())
			.collect(Collectors.toSet());
		return this.store.insert(changes.stream().filter((change) -> dead.contains(change.id())).toList());
	}

}
