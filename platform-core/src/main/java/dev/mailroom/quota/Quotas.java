package dev.mailroom.quota;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;

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
	 * {@code quota.warning} and {@code quota.reached}. Call it inside the transaction
	 * that inserts the mails.
	 * @return for each reservation, in order: empty if it was granted, or its refusal
	 */
	public Mono<List<Optional<Refused>>> reserve(List<Reservation> reservations, Instant at) {
		if (reservations.isEmpty()) {
			return Mono.just(List.of());
		}
		Map<UUID, Long> requested = reservations.stream()
			.collect(Collectors.groupingBy(Reservation::accountId, TreeMap::new,
					Collectors.summingLong(Reservation::count)));
		return this.store.raise(requested, at).collectMap(Usage::accountId).flatMap((usages) -> {
			Allocation allocation = new Allocation(requested, usages, at);
			List<Optional<Refused>> refusals = new ArrayList<>();
			reservations.forEach((reservation) -> refusals.add(allocation.grant(reservation)));
			Map<UUID, Long> unused = allocation.unused();
			return (unused.isEmpty() ? Mono.<Void>empty() : this.store.lower(unused, at))
				.then(Mono.defer(() -> record(allocation.alerts(), at)))
				.thenReturn(refusals);
		});
	}

	/** The rows of the counters are locked, so that each event is recorded once. */
	private Mono<Void> record(List<QuotaAlert> alerts, Instant at) {
		return alerts.isEmpty() ? Mono.empty() : this.store.mark(alerts, at)
			.then(Mono.defer(() -> this.events.record(alerts.stream().map((alert) -> alert.event(at)).toList())));
	}

	/**
	 * Reserves as many mails of an account as its quota permits. Call it inside the
	 * transaction that inserts them.
	 * @return the number of mails reserved, and the refusal if it is smaller
	 */
	public Mono<Grant> reserveUpTo(Scope scope, long count, Instant at) {
		Map<UUID, Long> requested = Map.of(scope.account(), count);
		return this.store.raise(requested, at).next().flatMap((usage) -> {
			long granted = Math.min(count, usage.left(count));
			if (granted == count) {
				return Mono.just(new Grant(count, Optional.empty()));
			}
			Allocation allocation = new Allocation(requested, Map.of(scope.account(), usage), at);
			Optional<Refused> refusal = allocation.grant(new Reservation(scope.account(), count));
			return this.store.lower(Map.of(scope.account(), count - granted), at)
				.thenReturn(new Grant(granted, refusal));
		});
	}

	/**
	 * Returns the quota of mails that were cancelled before they were sent.
	 * @param countedAt the time at which they were counted: the day and month to which
	 * the quota returns
	 */
	public Mono<Void> giveBack(Scope scope, long count, Instant countedAt) {
		return this.store.lower(Map.of(scope.account(), count), countedAt);
	}

	/**
	 * A part of a reservation.
	 *
	 * @param count number of mails reserved
	 * @param refusal why it is smaller than requested; empty if it is not
	 */
	public record Grant(long count, Optional<Refused> refusal) {
	}

}
