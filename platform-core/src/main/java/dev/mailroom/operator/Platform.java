package dev.mailroom.operator;

import java.util.List;

import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.Reputations;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The state of the platform. */
@Service
public class Platform {

	private static final int MAX_ENDPOINTS = 100;

	private static final int MAX_DESTINATIONS = 100;

	private final PlatformStore store;

	private final DestinationStore destinations;

	private final Reputations reputations;

	private final Workers workers;

	private final Traffic traffic;

	private final Transactions transactions;

	Platform(PlatformStore store, DestinationStore destinations, Reputations reputations, Workers workers,
			Traffic traffic, Transactions transactions) {
		this.store = store;
		this.destinations = destinations;
		this.reputations = reputations;
		this.workers = workers;
		this.traffic = traffic;
		this.transactions = transactions;
	}

	/** The numbers of the platform. */
	public Mono<PlatformState> state(Operator operator) {
		return state();
	}

	Mono<PlatformState> state() {
		return this.transactions.acrossAccounts(this.store.state(Workers.DISPATCHER_LOCK));
	}

	/** The parts of the queue. */
	public Mono<List<PlatformState.QueuePart>> queue(Operator operator) {
		return queue();
	}

	Mono<List<PlatformState.QueuePart>> queue() {
		return this.transactions.listAcrossAccounts(this.store.queue().collectList());
	}

	/**
	 * Recipient domains that are held, have deferred mail, or were contacted recently;
	 * those with most mail first.
	 */
	public Mono<List<Destination>> destinations(Operator operator) {
		return this.transactions.listAcrossAccounts(this.destinations.list(MAX_DESTINATIONS).collectList());
	}

	/** The workers of the last day, the one seen last first. */
	public Mono<List<Worker>> workers(Operator operator) {
		return this.workers.list();
	}

	/**
	 * Endpoints with calls that were given up in the last 24 hours, those with most of
	 * them first.
	 */
	public Mono<List<PlatformState.FailingEndpoint>> failingEndpoints(Operator operator) {
		return this.transactions.listAcrossAccounts(this.store.failingEndpoints(MAX_ENDPOINTS).collectList());
	}

	/** Counts of the last periods with the current one, oldest first. */
	public Mono<List<TrafficPoint>> traffic(Operator operator, TrafficPoint.Period period, int number) {
		return this.traffic.last(period, number);
	}

	/** Counts of each of the last days, in order. */
	public Mono<List<Reputations.DayFigures>> days(Operator operator, int days) {
		return this.reputations.platformDays(days);
	}

}
