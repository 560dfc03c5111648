package dev.mailroom.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.value;

/**
 * The warm-up of a domain today (UTC).
 *
 * @param day number of today, from 1; days without campaign mails do not count
 * @param usedToday campaign mails of today, of all campaigns of the domain
 * @param resetsAt the next midnight of UTC
 * @param allowances campaign mails permitted on each of its days
 */
public record Warmup(UUID domainId, Instant startedAt, int day, long usedToday, Instant resetsAt,
		List<Long> allowances) {

	public Warmup {
		allowances = List.copyOf(allowances);
	}

	/** The warm-up in a row with the columns of {@code warmup_today}; null if absent. */
	public static @Nullable Warmup of(Readable row) {
		@Nullable Instant since = row.get("warming_since", Instant.class);
		return (since == null) ? null
				: new Warmup(value(row, "domain_id", UUID.class), since, number(row, "warmup_day"),
						value(row, "warmup_used", Long.class), value(row, "warmup_resets_at", Instant.class),
						List.of(value(row, "warmup_allowances", Long[].class)));
	}

	/** Campaign mails permitted today. */
	public long allowance() {
		return this.allowances.get(this.day - 1);
	}

	/** Campaign mails that may still be created today. */
	public long left() {
		return Math.max(0, allowance() - this.usedToday);
	}

	/** The time when the limit ends if each day has campaign mails. */
	public Instant endsAt() {
		return this.resetsAt.plus((long) this.allowances.size() - this.day, ChronoUnit.DAYS);
	}

}
