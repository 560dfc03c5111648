package dev.mailroom.quota;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/**
 * Shares what is left among a group's requests: first come, first served, each whole or
 * not at all.
 */
final class Allocation {

	private static final Refusal REACHED = Refusal.limited("Daily/monthly limit reached");

	private final Map<UUID, Long> asked;

	private final Map<UUID, Usage> uses;

	private final Instant at;

	private final Map<UUID, Long> granted = new HashMap<>();

	Allocation(Map<UUID, Long> asked, Map<UUID, Usage> uses, Instant at) {
		this.asked = asked;
		this.uses = uses;
		this.at = at;
	}

	Optional<Refused> grant(Reservation want) {
		long asked = this.asked.getOrDefault(want.accountId(), 0L);
		Usage use = this.uses.get(want.accountId());
		long before = this.granted.getOrDefault(want.accountId(), 0L);
		long left = ((use != null) ? use.left(asked) : 0) - before;
		if (use == null || want.count() > left) {
			return Optional.of(refused(want, left, use == null || use.dayBinds(asked)));
		}
		this.granted.put(want.accountId(), before + want.count());
		return Optional.empty();
	}

	/** What was raised and not granted. */
	Map<UUID, Long> surplus() {
		Map<UUID, Long> surplus = new HashMap<>();
		this.asked.forEach((account, asked) -> {
			long rest = asked - this.granted.getOrDefault(account, 0L);
			if (rest > 0) {
				surplus.put(account, rest);
			}
		});
		return surplus;
	}

	private Refused refused(Reservation want, long left, boolean day) {
		OffsetDateTime now = this.at.atOffset(ZoneOffset.UTC);
		OffsetDateTime today = now.truncatedTo(ChronoUnit.DAYS);
		OffsetDateTime again = day ? today.plusDays(1) : today.withDayOfMonth(1).plusMonths(1);
		String period = day ? "daily" : "monthly";
		return REACHED
			.because("The " + period + " quota has " + left + " left for " + want.count() + " asked; it starts anew at "
					+ again.toInstant() + ", and a larger plan has more")
			.retryAfter(Duration.between(now, again));
	}

}
