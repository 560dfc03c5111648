package dev.mailroom.domain;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Parallel;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/**
 * Rechecks domains that were verified before. Owners are notified of missing records, and
 * can send again when the records are restored.
 */
@Service
public class DomainWatch {

	private static final Logger log = LoggerFactory.getLogger(DomainWatch.class);

	/** Domains taken together. After a crash, the rest of a batch waits an interval. */
	private static final int BATCH_SIZE = 64;

	/** Domains verified at a time, each with about eight records. */
	private static final int CONCURRENCY = 8;

	private final RecheckStore store;

	private final Verification verification;

	private final JdbcTransactions transactions;

	private final DomainSettings settings;

	DomainWatch(RecheckStore store, Verification verification, JdbcTransactions transactions, DomainSettings settings) {
		this.store = store;
		this.verification = verification;
		this.transactions = transactions;
		this.settings = settings;
	}

	/**
	 * Verifies a batch of the domains that are due.
	 * @return size of the batch; less than the maximum when no more are due
	 */
	public long recheck() {
		List<DueDomain> due = this.transactions
			.acrossAccounts((jdbc) -> this.store.takeDue(jdbc, BATCH_SIZE, this.settings.domainRecheck()));
		return Parallel.map(due, CONCURRENCY, this::verify).size();
	}

	/** Domains that lost their records, for which a notice must be sent. */
	public List<LostRecords> losses() {
		return this.transactions
			.acrossAccounts((jdbc) -> this.store.losses(jdbc, BATCH_SIZE, this.settings.domainGrace()));
	}

	/** Stores that a notice was sent. */
	public void noticeSent(LostRecords loss) {
		this.transactions.run(Scope.of(loss.accountId()), (jdbc) -> this.store.clearNotice(jdbc, loss));
	}

	/** The error of one domain does not stop the verification of the others. */
	private DueDomain verify(DueDomain due) {
		try {
			this.verification.verify(Scope.of(due.accountId()), due.id()).block();
		}
		catch (RuntimeException ex) {
			log.warn("Domain {} could not be verified and waits for its next check: {}", due.id(), ex.toString());
		}
		return due;
	}

	/** A domain that is due for a check. */
	record DueDomain(UUID id, UUID accountId) {
	}

}
