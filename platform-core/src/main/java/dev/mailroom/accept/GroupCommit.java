package dev.mailroom.accept;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeoutException;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refused;
import dev.mailroom.Transactions;
import dev.mailroom.blob.Blobs;
import dev.mailroom.event.Events;
import dev.mailroom.idempotency.Idempotency;
import dev.mailroom.quota.Quotas;
import io.r2dbc.spi.R2dbcException;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Commits a group of requests in one transaction: checks their senders, claims their
 * keys, reserves quota, inserts emails and deliveries.
 */
@Component
class GroupCommit {

	private final Transactions transactions;

	private final Idempotency idempotency;

	private final Quotas quotas;

	private final AcceptStore store;

	private final Events events;

	private final Blobs blobs;

	private final NoArgGenerator ids;

	private final Clock clock;

	GroupCommit(Transactions transactions, Idempotency idempotency, Quotas quotas, AcceptStore store, Events events,
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
	 * Runs the transaction.
	 * @return the emails that were inserted, after the commit
	 * @throws dev.mailroom.Refused {@code Request in progress} if the key of a member is
	 * held
	 */
	Mono<List<NewEmail>> commit(Group group, LockWait lockWait) {
		if (group.accounts().isEmpty()) {
			return Mono.just(List.of());
		}
		Instant now = this.clock.instant();
		// The quota's rows are locked last, because two groups of an account wait for
		// them.
		Mono<List<NewEmail>> work = this.store.lookUp(group.senders(), group.recipients())
			.doOnNext((lookup) -> group.check(lookup, this.ids, now))
			.then(Mono.defer(() -> this.idempotency.claim(group.claims())))
			.doOnNext(group::claimed)
			.then(Mono.defer(() -> this.quotas.reserve(group.reservations(), now)))
			.doOnNext(group::reserved)
			.then(Mono.fromSupplier(group::emails))
			.flatMap((emails) -> this.store.insert(emails, now).thenReturn(emails))
			.delayUntil((emails) -> this.blobs.refer(emails.stream().flatMap(NewEmail::blobs).toList()))
			.delayUntil((emails) -> this.events.record(emails.stream().flatMap(NewEmail::events).toList()))
			.delayUntil((_) -> this.idempotency.release(group.released()))
			.doOnNext((_) -> group.written());
		return this.transactions.accept(group.accounts(), lockWait.limit, work);
	}

	/** Cause of a failed commit. */
	enum Failure {

		/** A row of the group cannot be written; the others can. */
		ROW,

		/** One of the group's keys is held by a request that has not ended. */
		KEY_HELD,

		/** A lock was not free in time. */
		LOCK,

		/** The transaction was rolled back because of a concurrent one. */
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
					case R2dbcException exception when exception.getSqlState() != null -> {
						return of(exception.getSqlState());
					}
					case R2dbcException _, TransactionException _, TimeoutException _, IOException _ -> {
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
			if (state.equals("55P03")) {
				return LOCK;
			}
			return switch (state.substring(0, 2)) {
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

}
