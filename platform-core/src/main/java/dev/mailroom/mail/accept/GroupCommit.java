package dev.mailroom.mail.accept;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refused;
import dev.mailroom.blob.Blobs;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.SqlState;
import dev.mailroom.event.Events;
import dev.mailroom.mail.queue.Lease;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Commits a group of requests in one transaction: checks their senders, claims their
 * keys, reserves quota, inserts emails and deliveries.
 */
@Component
class GroupCommit {

	private final JdbcTransactions transactions;

	private final Idempotency idempotency;

	private final Quotas quotas;

	private final AcceptStore store;

	private final Events events;

	private final Blobs blobs;

	private final NoArgGenerator ids;

	private final Clock clock;

	GroupCommit(JdbcTransactions transactions, Idempotency idempotency, Quotas quotas, AcceptStore store, Events events,
			Blobs blobs, NoArgGenerator ids, Clock clock) {
		this.transactions = transactions;
		this.idempotency = idempotency;
		this.quotas = quotas;
		this.store = store;
		this.events = events;
		this.blobs = blobs;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Runs the transaction on the calling thread, and returns after its commit.
	 * @throws dev.mailroom.Refused {@code Request in progress} if the key of a member is
	 * held
	 */
	void commit(Group group, LockWait lockWait) {
		if (!group.accounts().isEmpty()) {
			Instant now = this.clock.instant();
			this.transactions.commit(group.accounts(), lockWait.limit, (jdbc) -> write(group, now, jdbc));
		}
	}

	/**
	 * The quota of most accounts is reserved last: two groups of an account wait for each
	 * other from this statement to the commit. Accounts that have few mails left come
	 * first, because a refusal would undo their rows.
	 */
	private Group write(Group group, Instant now, JdbcClient jdbc) {
		Set<UUID> first = group.accounts().stream().filter(this.quotas::isNearLimit).collect(Collectors.toSet());
		group.check(this.store.lookUp(jdbc, group.senders(), group.recipients()), this.ids, now);
		group.claimed(this.idempotency.claim(jdbc, group.claims()));
		group.reserved(first, this.quotas.reserve(jdbc, group.reservations(first::contains), now));
		List<NewEmail> emails = group.emails();
		List<Lease> due = this.store.insert(jdbc, emails, now);
		this.blobs.refer(jdbc, emails.stream().flatMap(NewEmail::blobs).toList());
		this.events.record(jdbc, emails.stream().flatMap(NewEmail::events).toList());
		this.idempotency.release(jdbc, group.released());
		this.quotas.reserveLast(jdbc, group.reservations((account) -> !first.contains(account)), now);
		group.written(due);
		return group;
	}

	/** Cause of a failed commit. */
	enum Failure {

		/** A row of the group cannot be written; the others can. */
		ROW,

		/** One of the group's keys is held by a request that has not ended. */
		KEY_HELD,

		/** A lock was not free in time. */
		LOCK,

		/**
		 * The transaction was rolled back because of a concurrent one, or because a quota
		 * did not suffice; it is repeated.
		 */
		CONFLICT,

		/** The database is unavailable, or the outcome of the commit is unknown. */
		DATABASE;

		/** Reads the cause from the SQLSTATE (PostgreSQL manual, appendix A). */
		static Failure of(Group group, Throwable error) {
			if (group.isWritten()) {
				return DATABASE;
			}
			for (Throwable cause = error; cause != null; cause = cause.getCause()) {
				switch (cause) {
					case Refused _ -> {
						return KEY_HELD;
					}
					case Quotas.TooLate _ -> {
						return CONFLICT;
					}
					case SQLException exception when exception.getSQLState() != null -> {
						return of(exception.getSQLState());
					}
					case SQLException _, TransactionException _, IOException _ -> {
						return DATABASE;
					}
					default -> {
						// The cause of this exception decides.
					}
				}
			}
			return ROW;
		}

		private static Failure of(String state) {
			if (state.equals(SqlState.LOCK_NOT_AVAILABLE)) {
				return LOCK;
			}
			return switch (SqlState.classOf(state)) {
				case "40" -> CONFLICT;
				case "21", "22", "23", "42", "44", "54" -> ROW;
				default -> DATABASE;
			};
		}

	}

	/** Limits for waiting for a lock. */
	enum LockWait {

		/** Of a group of several accounts. */
		GROUP(1000),

		/** Of the requests of one account, while other accounts wait. */
		ACCOUNT(100),

		/**
		 * Of a request that delays only its account: with the others, the five seconds of
		 * the contract.
		 */
		SINGLE(3900);

		private final Duration limit;

		LockWait(long millis) {
			this.limit = Duration.ofMillis(millis);
		}

	}

	/**
	 * Accounts whose requests do not join the groups of others, because they wait for a
	 * lock: until they are committed, and for a while after a lock refused one, because a
	 * group that meets the lock again would wait for it.
	 */
	static final class LockedAccounts {

		private static final Duration TIME_AFTER_REFUSAL = Duration.ofSeconds(30);

		/** By account, on the clock of {@link System#nanoTime()}. */
		private final Map<UUID, Long> ends = new ConcurrentHashMap<>();

		boolean contains(UUID account) {
			return this.ends.containsKey(account);
		}

		/** Adds an account until it is removed. */
		void add(UUID account) {
			this.ends.putIfAbsent(account, System.nanoTime());
		}

		/** Adds an account for at least the time after a refusal. */
		void refused(UUID account) {
			this.ends.put(account, System.nanoTime() + TIME_AFTER_REFUSAL.toNanos());
		}

		/** Removes an account unless its time is not over. */
		void remove(UUID account) {
			this.ends.computeIfPresent(account, (_, end) -> (System.nanoTime() - end < 0) ? end : null);
		}

	}

}
