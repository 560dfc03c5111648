package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Scope;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Reserves the mails that a plan allows in a day and in a month of UTC. Exact under
 * concurrency: the account's counters are raised first and thereby locked, so that the
 * next reservation waits for the commit.
 */
@Service
public class Quotas {

	private final QuotaStore store;

	private final Events events;

	Quotas(QuotaStore store, Events events) {
		this.store = store;
		this.events = events;
	}

	/**
	 * Reserves quota for a group of requests, in order of arrival, and records the events
	 * {@code quota.warning} and {@code quota.reached}, in the transaction of JDBC that
	 * inserts the mails.
	 * @return for each reservation, in order: empty if it was granted, or its refusal
	 */
	public List<Optional<LimitReached>> reserve(JdbcClient jdbc, List<Reservation> reservations, Instant at) {
		if (reservations.isEmpty()) {
			return List.of();
		}
		Map<UUID, Long> requested = reservations.stream()
			.collect(Collectors.groupingBy(Reservation::accountId, TreeMap::new,
					Collectors.summingLong(Reservation::count)));
		Map<UUID, Usage> usages = this.store.raise(jdbc, requested, at)
			.stream()
			.collect(Collectors.toMap(Usage::accountId, Function.identity()));
		Allocation allocation = new Allocation(requested, usages, at);
		List<Optional<LimitReached>> refusals = new ArrayList<>();
		reservations.forEach((reservation) -> refusals.add(allocation.grant(reservation)));
		Map<UUID, Long> unused = allocation.unused();
		if (!unused.isEmpty()) {
			this.store.lower(jdbc, unused, at);
		}
		record(jdbc, allocation.alerts(), at);
		return refusals;
	}

	/** The rows of the counters are locked, so that each event is recorded once. */
	private void record(JdbcClient jdbc, List<QuotaAlert> alerts, Instant at) {
		if (!alerts.isEmpty()) {
			this.store.mark(jdbc, alerts, at);
			this.events.record(jdbc, alerts.stream().map((alert) -> alert.event(at)).toList());
		}
	}

	/**
	 * Mails that the quota of an account permits, read without a lock: a reservation may
	 * get fewer.
	 */
	public long left(JdbcClient jdbc, Scope scope, Instant at) {
		return this.store.read(jdbc, scope.account(), at).left(0);
	}

	/**
	 * Reserves as many mails of an account as its quota permits, and records the events
	 * {@code quota.warning} and {@code quota.reached}. Call it inside the transaction
	 * that inserts them, as late as possible: the counters are locked until it ends.
	 * @return the number of mails reserved, and the refusal if it is smaller
	 */
	public Grant reserveUpTo(JdbcClient jdbc, Scope scope, long count, Instant at) {
		Map<UUID, Long> requested = Map.of(scope.account(), count);
		Usage usage = this.store.raise(jdbc, requested, at).getFirst();
		long granted = Math.min(count, usage.left(count));
		Allocation allocation = new Allocation(requested, Map.of(scope.account(), usage), at);
		Optional<LimitReached> refusal = allocation.grant(new Reservation(scope.account(), count));
		if (refusal.isPresent() && granted > 0) {
			allocation.grant(new Reservation(scope.account(), granted));
		}
		if (granted < count) {
			this.store.lower(jdbc, allocation.unused(), at);
		}
		record(jdbc, allocation.alerts(), at);
		return new Grant(granted, refusal);
	}

	/**
	 * Returns the quota of mails that were cancelled before they were sent.
	 * @param countedAt the time at which they were counted: the day and month to which
	 * the quota returns
	 */
	public Mono<Void> giveBack(Scope scope, long count, Instant countedAt) {
		return this.store.lower(Map.of(scope.account(), count), countedAt);
	}

	/** Returns quota, as {@link #giveBack(Scope, long, Instant)}, over JDBC. */
	public void giveBack(JdbcClient jdbc, Scope scope, long count, Instant countedAt) {
		this.store.lower(jdbc, Map.of(scope.account(), count), countedAt);
	}

	/**
	 * A part of a reservation.
	 *
	 * @param count number of mails reserved
	 * @param refusal why it is smaller than requested; empty if it is not
	 */
	public record Grant(long count, Optional<LimitReached> refusal) {
	}

}
