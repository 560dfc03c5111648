package dev.mailroom.quota;

import java.time.Clock;
import java.util.UUID;

import dev.mailroom.Transactions;
import reactor.core.publisher.Flux;

import org.springframework.stereotype.Service;

/** How much of their quota accounts have used: what an operator watches. */
@Service
public class QuotaRatios {

	private final Transactions transactions;

	private final QuotaStore store;

	private final Clock clock;

	QuotaRatios(Transactions transactions, QuotaStore store, Clock clock) {
		this.transactions = transactions;
		this.store = store;
		this.clock = clock;
	}

	/**
	 * Each account with a limit that has used something of the day's or the month's
	 * quota.
	 */
	public Flux<Ratio> current() {
		return Flux.defer(() -> this.transactions.acrossAccounts(this.store.ratios(this.clock.instant())));
	}

	/**
	 * How much of a quota is used.
	 *
	 * @param period {@code day} or {@code month}
	 * @param used from 0 to 1; more where the plan was made smaller since
	 */
	public record Ratio(UUID accountId, String period, double used) {
	}

}
