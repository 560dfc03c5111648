package dev.mailroom.mail.accept;

import java.time.Clock;
import java.util.UUID;

import dev.mailroom.database.Transactions;
import reactor.core.publisher.Flux;

import org.springframework.stereotype.Service;

/** Used share of the accounts' quotas, for monitoring. */
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
	 * A ratio for each account and period with a limit of which something is used.
	 */
	public Flux<Ratio> current() {
		return Flux.defer(() -> this.transactions.acrossAccounts(this.store.ratios(this.clock.instant())));
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
