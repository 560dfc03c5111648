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

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Scope;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Reserves the mails that a plan allows in a day and in a month of UTC. Exact under
 * concurrency: raising an account's counters locks them until the commit, so that the
 * next reservation waits for it. Mails are written before their quota is reserved, so
 * that this wait is short, unless the account has few mails left.
 */
@Service
public class Quotas {

	/** Mails left, below which an account's quota is reserved before its rows. */
	private static final long FEW_LEFT = 1_000;

	private static final int MAX_ACCOUNTS = 10_000;

	private final QuotaStore store;

	private final Events events;

	/** Accounts that have few mails left, as of their last reservation. */
	private final Cache<UUID, Boolean> nearLimit = Caffeine.newBuilder().maximumSize(MAX_ACCOUNTS).build();

	Quotas(QuotaStore store, Events events) {
		this.store = store;
		this.events = events;
	}

	/** Whether few mails are left to the account, as of its last reservation. */
	boolean isNearLimit(UUID account) {
		return this.nearLimit.getIfPresent(account) != null;
	}

	/**
	 * Reserves quota for requests whose rows are written already, as the last statements
	 * before the commit: the counters of the accounts are locked for a moment only.
	 * @throws TooLate if a reservation is refused: the transaction must be rolled back
	 * and repeated, and {@link #isNearLimit} has changed
	 */
	void reserveLast(JdbcClient jdbc, List<Reservation> reservations, Instant at) {
		if (reserve(jdbc, reservations, at).stream().anyMatch(Optional::isPresent)) {
			throw new TooLate();
		}
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
		usages.values().forEach(this::remember);
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

	private void remember(Usage usage) {
		if (usage.left(0) < FEW_LEFT) {
			this.nearLimit.put(usage.accountId(), true);
		}
		else {
			this.nearLimit.invalidate(usage.accountId());
		}
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

	/** A reservation was refused after the rows of its mails had been written. */
	static final class TooLate extends RuntimeException {

		private static final long serialVersionUID = 1L;

		TooLate() {
			super("The quota of an account of the group does not suffice", null, false, false);
		}

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
