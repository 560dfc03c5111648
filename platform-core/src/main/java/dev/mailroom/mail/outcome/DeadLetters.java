package dev.mailroom.mail.outcome;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Page;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Dead letters: mails that cannot be read or composed, and records of the topic that
 * cannot be read. They are kept for operators and do not block the queue.
 */
@Service
public class DeadLetters {

	private static final int MAX_LISTED = 100;

	private final DeadLetterStore store;

	private final OutcomeStore outcomes;

	private final Transactions transactions;

	DeadLetters(DeadLetterStore store, OutcomeStore outcomes, Transactions transactions) {
		this.store = store;
		this.outcomes = outcomes;
		this.transactions = transactions;
	}

	/**
	 * Stores a dead letter for a record of the topic that identifies no delivery, once
	 * for each position.
	 * @param position its topic, partition and offset
	 */
	public Mono<Void> recordUnreadable(String position, String reason) {
		UUID id = UUID.nameUUIDFromBytes(position.getBytes(StandardCharsets.UTF_8));
		return this.transactions.acrossAccounts(this.store.insert(id, position + ": " + reason));
	}

	/** The newest dead letters. */
	public Mono<List<Entry>> newest() {
		return this.transactions.acrossAccounts(this.store.newest(MAX_LISTED).collectList());
	}

	/**
	 * Dead letters, newest first, in the order in which the page reads them, and one more
	 * than it holds if there are more.
	 * @param requeued whether they were requeued; null for all
	 */
	public Mono<List<Entry>> list(@Nullable Boolean requeued, Page.Request page) {
		return this.transactions.acrossAccounts(this.store.list(requeued, page).collectList());
	}

	/**
	 * Deletes a dead letter; empty if there is none, or if its delivery was requeued and
	 * is pending.
	 */
	public Mono<Entry> dismiss(UUID id) {
		return this.transactions.acrossAccounts(this.store.delete(id));
	}

	/** Number of dead letters that were not requeued. */
	public Mono<Long> waiting() {
		return this.transactions.acrossAccounts(this.store.countWaiting());
	}

	/**
	 * Returns a failed delivery to the queue, once: a second failure is final.
	 * @return whether it was returned
	 */
	public Mono<Boolean> requeue(UUID id) {
		Mono<Boolean> work = this.store.requeue(id)
			.collectMap((email) -> email, (_) -> "queued")
			.delayUntil(this.outcomes::lockEmails)
			.delayUntil(this.outcomes::updateEmails)
			.map((emails) -> !emails.isEmpty());
		return this.transactions.acrossAccounts(work);
	}

	/** Records the dead letters of a group, in the transaction that settles it. */
	Mono<Void> record(List<Settlement> settlements, List<SettledDelivery> settled) {
		Set<UUID> dead = settlements.stream()
			.filter((one) -> one.outcome() instanceof Outcome.Failed failed && failed.dead())
			.map((one) -> one.lease().delivery())
			.collect(Collectors.toSet());
		return this.store.insert(settled.stream().filter((delivery) -> dead.contains(delivery.id())).toList());
	}

	/**
	 * A dead letter.
	 *
	 * @param id id of the delivery, or derived from the position of the record
	 * @param what mail, or record for an unreadable record of the topic
	 * @param requeuedAt time at which it was requeued; null if it was not
	 */
	public record Entry(UUID id, String what, String why, @Nullable UUID accountId, @Nullable UUID emailId,
			@Nullable UUID deliveryId, Instant diedAt, @Nullable Instant requeuedAt) {

		/** The position in lists. */
		public Page.Cursor cursor() {
			return new Page.Cursor(this.diedAt, this.id);
		}

	}

}
