package dev.mailroom.reputation;

import java.util.UUID;

import dev.mailroom.Transactions;
import reactor.core.publisher.Flux;

import org.springframework.stereotype.Service;

/** What came of every account's mails lately: what an operator watches. */
@Service
public class ReputationRatios {

	private final Transactions transactions;

	private final ReputationStore store;

	ReputationRatios(Transactions transactions, ReputationStore store) {
		this.transactions = transactions;
		this.store = store;
	}

	/** Each account that has sent lately, over 1, 7 and 30 days. */
	public Flux<Recent> current() {
		return Flux.defer(() -> this.transactions.acrossAccounts(this.store.recent()));
	}

	/**
	 * An account's figures of the last days.
	 *
	 * @param days how many before today
	 */
	public record Recent(UUID accountId, int days, long delivered, long hardBounced, long complained) {

		/** Hard bounces among what was tried, from 0 to 1. */
		public double bounceRatio() {
			return ratio(this.hardBounced, this.delivered + this.hardBounced);
		}

		/** Complaints among what was delivered. */
		public double complaintRatio() {
			return ratio(this.complained, this.delivered);
		}

		private static double ratio(long part, long whole) {
			return (whole > 0) ? (double) part / whole : 0;
		}

	}

}
