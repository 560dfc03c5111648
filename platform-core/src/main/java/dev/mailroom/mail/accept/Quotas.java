package dev.mailroom.mail.accept;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Reserves the mails that a plan allows in a day and in a month of UTC. Exact under
 * concurrency: raising an account's counters locks them until the commit, and the next
 * reservation waits for it. Mails are written before their quota is reserved, which keeps
 * this wait short, unless the account has few mails left.
 */
@Service
public class Quotas {

	/** Mails left, below which an account's quota is reserved before its rows. */
	private static final long FEW_LEFT = 1_000;

	private static final int MAX_ACCOUNTS = 10_000;

	private final QuotaStore store;

	private final Events events;

	/** The last reservations of accounts with a limit. */
	private final Cache<UUID, Last> last = Caffeine.newBuilder().maximumSize(MAX_ACCOUNTS).build();

	Quotas(QuotaStore store, Events events) {
		this.store = store;
		this.events = events;
	}

	/** Whether few mails are left to the account, as of its last reservation. */
	boolean isNearLimit(UUID account) {
		@Nullable Last seen = this.last.getIfPresent(account);
		return seen != null && seen.usage().left(0) < FEW_LEFT;
	}

	/**
	 * The limits of an account with the mails left after its last reservation here; empty
	 * if it has none, or none has been seen.
	 */
	public List<Left> left(UUID account) {
		@Nullable Last seen = this.last.getIfPresent(account);
		return (seen != null) ? seen.left() : List.of();
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
		Allocation allocation = new Allocation(requested, usages, at);
		List<Optional<LimitReached>> refusals = new ArrayList<>();
		reservations.forEach((reservation) -> refusals.add(allocation.grant(reservation)));
		Map<UUID, Long> unused = allocation.unused();
		if (!unused.isEmpty()) {
			this.store.lower(jdbc, unused, at);
		}
		usages.values().forEach((usage) -> remember(usage, unused.getOrDefault(usage.accountId(), 0L), at));
		record(jdbc, allocation.alerts(), at);
		return refusals;
	}

	private void remember(Usage usage, long unused, Instant at) {
		if (usage.dailyLimit() != null || usage.monthlyLimit() != null) {
			this.last.put(usage.accountId(), new Last(usage, unused, at));
		}
		else {
			this.last.invalidate(usage.accountId());
		}
	}

	/** The rows of the counters are locked: each event is recorded once. */
	private void record(JdbcClient jdbc, List<Alert> alerts, Instant at) {
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

	/**
	 * A limit of an account.
	 *
	 * @param period {@code day} or {@code month}
	 */
	public record Left(String period, long limit, long left, Instant from, Instant to) {
	}

	/**
	 * A reservation.
	 *
	 * @param unused mails that the usage includes and that were not granted
	 */
	private record Last(Usage usage, long unused, Instant at) {

		List<Left> left() {
			OffsetDateTime day = this.at.atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS);
			OffsetDateTime month = day.withDayOfMonth(1);
			return Stream
				.of(left(Alert.DAY, this.usage.dailyLimit(), this.usage.day(), day, day.plusDays(1)),
						left(Alert.MONTH, this.usage.monthlyLimit(), this.usage.month(), month, month.plusMonths(1)))
				.flatMap(Optional::stream)
				.toList();
		}

		private Optional<Left> left(String period, @Nullable Long limit, long used, OffsetDateTime from,
				OffsetDateTime to) {
			return Optional.ofNullable(limit)
				.map((most) -> new Left(period, most, Math.max(0, most - (used - this.unused)), from.toInstant(),
						to.toInstant()));
		}

	}

	/**
	 * Quota that a request needs; granted whole or not at all.
	 *
	 * @param count number of mails, at least one
	 */
	public record Reservation(UUID accountId, long count) {
	}

	/**
	 * Refusal of a reservation. It is also the application event of a request that was
	 * refused, or a campaign that was paused, for a quota.
	 *
	 * @param period {@code day} or {@code month}: that of the limit
	 */
	public record LimitReached(String period, Refused refused) {
	}

	/**
	 * A limit that was reached, or of which 80 % are used, for the first time in its
	 * period.
	 *
	 * @param period {@code day} or {@code month}
	 * @param used mails counted in the period
	 */
	record Alert(UUID accountId, EventKind kind, String period, long used, long limit) {

		static final String DAY = "day";

		static final String MONTH = "month";

		private static final int WARNING_PERCENT = 80;

		/**
		 * The events that are due for a period.
		 * @param used mails counted after the current reservations
		 * @param refusedBy periods whose limits refused a reservation
		 */
		static List<Alert> of(Usage usage, String period, long used, @Nullable Long limit, Set<String> refusedBy) {
			List<Alert> alerts = new ArrayList<>();
			if (limit == null) {
				return alerts;
			}
			if (used > 0 && used * 100 >= limit * WARNING_PERCENT && !usage.warned().contains(period)) {
				alerts.add(new Alert(usage.accountId(), EventKind.QUOTA_WARNING, period, used, limit));
			}
			if ((used >= limit || refusedBy.contains(period)) && !usage.reached().contains(period)) {
				alerts.add(new Alert(usage.accountId(), EventKind.QUOTA_REACHED, period, used, limit));
			}
			return alerts;
		}

		/** The name of the kind without its prefix. */
		String name() {
			return (this.kind == EventKind.QUOTA_REACHED) ? "reached" : "warning";
		}

		/** The event; its data is like a period of GET /usage. */
		Event event(Instant at) {
			OffsetDateTime today = at.atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS);
			OffsetDateTime reset = this.period.equals(DAY) ? today.plusDays(1) : today.withDayOfMonth(1).plusMonths(1);
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("period", this.period.equals(DAY) ? "daily" : "monthly");
			data.put("used", this.used);
			data.put("limit", this.limit);
			data.put("remaining", Math.max(0, this.limit - this.used));
			data.put("resets_at", reset.toInstant().toString());
			return new Event(this.accountId, this.kind, null, data);
		}

	}

	/**
	 * Divides the remaining quota among a group's reservations: first come, first served,
	 * each whole or not at all.
	 */
	private static final class Allocation {

		private static final Refusal REACHED = Refusal.limited("Daily/monthly limit reached");

		private final Map<UUID, Long> requested;

		private final Map<UUID, Usage> usages;

		private final Instant at;

		private final Map<UUID, Long> granted = new HashMap<>();

		/** Accounts with a refused reservation, with the period that was the reason. */
		private final Map<UUID, Set<String>> refused = new HashMap<>();

		/**
		 * An allocation.
		 * @param requested mails by account, which the usages include
		 */
		Allocation(Map<UUID, Long> requested, Map<UUID, Usage> usages, Instant at) {
			this.requested = requested;
			this.usages = usages;
			this.at = at;
		}

		Optional<LimitReached> grant(Reservation reservation) {
			long requested = this.requested.getOrDefault(reservation.accountId(), 0L);
			@Nullable Usage usage = this.usages.get(reservation.accountId());
			long before = this.granted.getOrDefault(reservation.accountId(), 0L);
			long left = ((usage != null) ? usage.left(requested) : 0) - before;
			if (usage == null || reservation.count() > left) {
				boolean daily = usage == null || usage.isDailyLimit(requested);
				String period = daily ? Alert.DAY : Alert.MONTH;
				this.refused.computeIfAbsent(reservation.accountId(), (_) -> new HashSet<>()).add(period);
				return Optional.of(new LimitReached(period, refused(reservation, left, daily)));
			}
			this.granted.put(reservation.accountId(), before + reservation.count());
			return Optional.empty();
		}

		/** Mails by account that were counted and not granted. */
		Map<UUID, Long> unused() {
			Map<UUID, Long> unused = new HashMap<>();
			this.requested.forEach((account, requested) -> {
				long rest = requested - this.granted.getOrDefault(account, 0L);
				if (rest > 0) {
					unused.put(account, rest);
				}
			});
			return unused;
		}

		/**
		 * Events of limits that were reached, or nearly, for the first time in their
		 * period.
		 */
		List<Alert> alerts() {
			List<Alert> alerts = new ArrayList<>();
			Map<UUID, Long> unused = unused();
			this.usages.forEach((account, usage) -> {
				long rest = unused.getOrDefault(account, 0L);
				Set<String> refusedBy = this.refused.getOrDefault(account, Set.of());
				alerts.addAll(Alert.of(usage, Alert.DAY, usage.day() - rest, usage.dailyLimit(), refusedBy));
				alerts.addAll(Alert.of(usage, Alert.MONTH, usage.month() - rest, usage.monthlyLimit(), refusedBy));
			});
			return alerts;
		}

		private Refused refused(Reservation reservation, long left, boolean daily) {
			OffsetDateTime now = this.at.atOffset(ZoneOffset.UTC);
			OffsetDateTime today = now.truncatedTo(ChronoUnit.DAYS);
			OffsetDateTime next = daily ? today.plusDays(1) : today.withDayOfMonth(1).plusMonths(1);
			String period = daily ? "daily" : "monthly";
			return REACHED
				.because("The " + period + " quota has " + left + " mails left and this request needs "
						+ reservation.count() + "; it is reset at " + next.toInstant() + ", and a larger plan has more")
				.retryAfter(Duration.between(now, next));
		}

	}

}
