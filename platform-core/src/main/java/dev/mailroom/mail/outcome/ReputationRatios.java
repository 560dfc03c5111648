package dev.mailroom.mail.outcome;

import java.util.UUID;

import dev.mailroom.database.Transactions;
import reactor.core.publisher.Flux;

import org.springframework.stereotype.Service;

/** Bounce and complaint ratios of all accounts, for operators. */
@Service
public class ReputationRatios {

	private final Transactions transactions;

	private final ReputationStore store;

	ReputationRatios(Transactions transactions, ReputationStore store) {
		this.transactions = transactions;
		this.store = store;
	}

	/** Counts of each account that has sent mail, over 1, 7 and 30 days. */
	public Flux<Recent> current() {
		return Flux.defer(() -> this.transactions.acrossAccounts(this.store.recent()));
	}

	/**
	 * Counts of an account over the last days.
	 *
	 * @param days number of days before today
	 */
	public record Recent(UUID accountId, int days, long delivered, long hardBounced, long complained) {

		/** Hard bounces as a fraction of all attempts, from 0 to 1. */
		public double bounceRatio() {
			return ratio(this.hardBounced, this.delivered + this.hardBounced);
		}

		/** Complaints as a fraction of delivered mail. */
		public double complaintRatio() {
			return ratio(this.complained, this.delivered);
		}

		private static double ratio(long part, long whole) {
			return (whole > 0) ? (double) part / whole : 0;
		}

	}

}
