package dev.mailroom.operator;

import java.util.List;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Transactions;
import dev.mailroom.operator.TrafficPoint.Period;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Counts of the whole platform by minute, hour and day. */
@Service
@AcrossAccounts("counts of the whole platform")
public class Traffic {

	private final TrafficStore store;

	private final Transactions transactions;

	Traffic(TrafficStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/** Adds counts to the current minute, hour and day; their time is not used. */
	public Mono<Void> add(TrafficPoint counts) {
		return counts.isEmpty() ? Mono.empty() : this.transactions.acrossAccounts(this.store.add(counts));
	}

	/**
	 * The last periods with the current one, oldest first; those without counts as well.
	 */
	public Mono<List<TrafficPoint>> last(Period period, int number) {
		return this.transactions.listAcrossAccounts(this.store.last(period, number).collectList());
	}

}
