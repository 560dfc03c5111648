package dev.mailroom.mail.accept;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import dev.mailroom.database.JdbcTransactions;

import org.springframework.stereotype.Service;

/** Used share of the accounts' quotas, for monitoring. */
@Service
public class QuotaRatios {

	private final JdbcTransactions transactions;

	private final QuotaStore store;

	private final Clock clock;

	QuotaRatios(JdbcTransactions transactions, QuotaStore store, Clock clock) {
		this.transactions = transactions;
		this.store = store;
		this.clock = clock;
	}

	/**
	 * A ratio for each account and period with a limit of which something is used.
	 */
	public List<Ratio> current() {
		return this.transactions.acrossAccounts((jdbc) -> this.store.ratios(jdbc, this.clock.instant()));
	}

	/**
	 * Used share of a quota.
	 *
	 * @param period {@code day} or {@code month}
	 * @param used from 0 to 1; more if the plan was reduced since
	 */
	public record Ratio(UUID accountId, String period, double used) {
	}

}
