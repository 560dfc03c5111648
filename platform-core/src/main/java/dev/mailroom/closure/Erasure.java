package dev.mailroom.closure;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Accounts;
import dev.mailroom.database.JdbcTransactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/**
 * Erases accounts whose deletion is due, table by table and in small transactions. Each
 * step can be repeated, so that an erasure continues after a failure or a restart.
 * Objects in the bucket are marked, and removed with those of expired mails.
 */
@Service
public class Erasure {

	private static final Logger log = LoggerFactory.getLogger(Erasure.class);

	/** Rows of one transaction, without those that belong to them. */
	private static final int BATCH_SIZE = 1000;

	/** Time after which a call begins no further batch. */
	private static final Duration MAX_TIME = Duration.ofSeconds(15);

	/** Exceeds the time for which a key is cached, and the longest transaction. */
	private static final Duration LATE_REQUESTS = Duration.ofMinutes(1);

	private final AccountDeletionStore store;

	private final AccountDeletions deletions;

	private final Accounts accounts;

	private final JdbcTransactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	Erasure(AccountDeletionStore store, AccountDeletions deletions, Accounts accounts, JdbcTransactions transactions,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.deletions = deletions;
		this.accounts = accounts;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Advances the erasures that are due, for a limited time. One that fails is logged
	 * and continued by the next call.
	 * @return number of accounts that are gone
	 */
	public long run() {
		Instant end = this.clock.instant().plus(MAX_TIME);
		return this.transactions.acrossAccounts((jdbc) -> this.store.due(jdbc, LATE_REQUESTS))
			.stream()
			.filter((due) -> attempt(due, end))
			.count();
	}

	/** Time since the oldest unfinished erasure was due, in seconds; 0 without one. */
	public long oldestSeconds() {
		return this.transactions.acrossAccounts(this.store::oldestSeconds);
	}

	private boolean attempt(AccountDeletionStore.Due due, Instant end) {
		try {
			return advance(due, end);
		}
		catch (RuntimeException ex) {
			log.warn("Account {} was not erased, which is tried again: {}", due.account(), ex.toString());
			return false;
		}
	}

	private boolean advance(AccountDeletionStore.Due due, Instant end) {
		Scope scope = Scope.of(due.account());
		if (!due.begun()) {
			if (!due.moved()) {
				tellOwners(scope);
			}
			this.transactions.<Boolean>acrossAccounts((jdbc) -> this.store.begin(jdbc, scope));
			return false;
		}
		if (!due.quiet()) {
			return false;
		}
		long removed;
		do {
			removed = this.transactions.<Long>acrossAccounts((jdbc) -> this.store.step(jdbc, scope, BATCH_SIZE));
		}
		while (removed > 0 && this.clock.instant().isBefore(end) && !Thread.currentThread().isInterrupted());
		return removed == 0 && this.transactions
			.<Boolean>acrossAccounts((jdbc) -> this.store.finish(jdbc, scope, this.ids.generate()));
	}

	/** Tells the owners before the erasure begins, while their addresses are known. */
	private void tellOwners(Scope scope) {
		this.accounts.find(scope)
			.flatMap((account) -> this.deletions.tell(account.id(),
					(owner) -> new AccountNotice.DeletionBegun(owner, AccountDeletions.name(account))))
			.block();
	}

}
