package dev.mailroom.mail.accept;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Divides the remaining quota among a group's reservations: first come, first served,
 * each whole or not at all.
 */
final class Allocation {

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
			String period = daily ? QuotaAlert.DAY : QuotaAlert.MONTH;
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
	 * Events of limits that were reached, or nearly, for the first time in their period.
	 */
	List<QuotaAlert> alerts() {
		List<QuotaAlert> alerts = new ArrayList<>();
		Map<UUID, Long> unused = unused();
		this.usages.forEach((account, usage) -> {
			long rest = unused.getOrDefault(account, 0L);
			Set<String> refusedBy = this.refused.getOrDefault(account, Set.of());
			alerts.addAll(QuotaAlert.of(usage, QuotaAlert.DAY, usage.day() - rest, usage.dailyLimit(), refusedBy));
			alerts
				.addAll(QuotaAlert.of(usage, QuotaAlert.MONTH, usage.month() - rest, usage.monthlyLimit(), refusedBy));
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
