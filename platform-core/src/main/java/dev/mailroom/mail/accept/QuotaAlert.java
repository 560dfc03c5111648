package dev.mailroom.mail.accept;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import org.jspecify.annotations.Nullable;

/**
 * A limit that was reached, or of which 80 % are used, for the first time in its period.
 *
 * @param period {@code day} or {@code month}
 * @param used mails counted in the period
 */
record QuotaAlert(UUID accountId, EventKind kind, String period, long used, long limit) {

	static final String DAY = "day";

	static final String MONTH = "month";

	private static final int WARNING_PERCENT = 80;

	/**
	 * The events that are due for a period.
	 * @param used mails counted after the current reservations
	 * @param refusedBy periods whose limits refused a reservation
	 */
	static List<QuotaAlert> of(Usage usage, String period, long used, @Nullable Long limit, Set<String> refusedBy) {
		List<QuotaAlert> alerts = new ArrayList<>();
		if (limit == null) {
			return alerts;
		}
		if (used > 0 && used * 100 >= limit * WARNING_PERCENT && !usage.warned().contains(period)) {
			alerts.add(new QuotaAlert(usage.accountId(), EventKind.QUOTA_WARNING, period, used, limit));
		}
		if ((used >= limit || refusedBy.contains(period)) && !usage.reached().contains(period)) {
			alerts.add(new QuotaAlert(usage.accountId(), EventKind.QUOTA_REACHED, period, used, limit));
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
