package dev.mailroom.mail.outcome;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.queue.EmailRows;
import dev.mailroom.mail.queue.Transitions;
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

	private final Transitions transitions;

	private final EmailRows emails;

	private final Transactions transactions;

	private final JdbcTransactions threads;

	DeadLetters(DeadLetterStore store, Transitions transitions, EmailRows emails, Transactions transactions,
			JdbcTransactions threads) {
		this.store = store;
		this.transitions = transitions;
		this.emails = emails;
		this.transactions = transactions;
		this.threads = threads;
	}

	/**
	 * Stores a dead letter for a record of the topic that identifies no delivery, once
	 * for each position.
	 * @param position its topic, partition and offset
	 */
	public void recordUnreadable(String position, String reason) {
		UUID id = UUID.nameUUIDFromBytes(position.getBytes(StandardCharsets.UTF_8));
		this.threads.runAcrossAccounts((jdbc) -> this.store.insert(jdbc, id, position + ": " + reason));
	}

	/** The newest dead letters. */
	public Mono<List<Entry>> newest() {
		return this.transactions.acrossAccounts(this.store.newest(MAX_LISTED).collectList());
	}

	/**
	 * Dead letters, newest first, in the order in which the page reads them, and one more
	 * than it holds if there are more.
	 */
	public Mono<List<Entry>> list(Filter filter, Page.Request page) {
		return this.transactions.acrossAccounts(this.store.list(filter, page).collectList());
	}

	/** Ids of matching dead letters whose mail can be requeued, oldest first. */
	public Mono<List<UUID>> findFailed(Filter filter, int limit) {
		return this.transactions.acrossAccounts(this.store.findFailed(filter, limit).collectList());
	}

	/**
	 * Deletes a dead letter; empty if there is none, or if its delivery was requeued and
	 * is pending.
	 */
	public Mono<Entry> dismiss(UUID id) {
		return this.transactions.acrossAccounts(this.store.delete(id));
	}

	/** Number of dead letters that were not requeued. */
	public long waiting() {
		return this.threads.<Long>acrossAccounts(this.store::countWaiting);
	}

	/**
	 * Returns a failed delivery to the queue, once: a second failure is final.
	 * @return whether it was returned
	 */
	public Mono<Boolean> requeue(UUID id) {
		Mono<Boolean> work = this.store.lockFailed(id)
			.flatMap((failed) -> this.transitions.requeue(failed.deliveryId(), failed.emailId(), failed.recipient()))
			.delayUntil((email) -> this.emails.updateStatus(Map.of(email, "queued")))
			.delayUntil((_) -> this.store.markRequeued(id))
			.hasElement();
		return this.transactions.acrossAccounts(work);
	}

	/**
	 * Conditions on dead letters; null for any.
	 *
	 * @param requeued whether they were requeued
	 * @param why part of the reason, in any case
	 * @param from time at or after which they died
	 * @param until time before which they died
	 */
	public record Filter(@Nullable Boolean requeued, @Nullable String why, @Nullable Instant from,
			@Nullable Instant until) {
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
