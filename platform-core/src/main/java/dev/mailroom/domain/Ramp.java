package dev.mailroom.domain;

import java.util.List;
import java.util.stream.LongStream;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the warm-ups that start from now on.
 *
 * @param firstDay campaign mails permitted on the first day
 * @param growth factor by which each further day permits more
 * @param until number of mails above which a day has no limit and the warm-up ends
 */
@ConfigurationProperties("mailroom.warmup")
record Ramp(@DefaultValue("200") long firstDay, @DefaultValue("1.5") double growth,
		@DefaultValue("100000") long until) {

	/** Bounds the number of days to about 200. */
	private static final double MIN_GROWTH = 1.1;

	private static final double MAX_GROWTH = 10;

	private static final long MAX_UNTIL = 100_000_000;

	Ramp {
		if (firstDay < 1 || until < firstDay || until > MAX_UNTIL) {
			throw new IllegalArgumentException("mailroom.warmup.first-day must be at least 1, and mailroom.warmup.until"
					+ " at least as large and at most " + MAX_UNTIL);
		}
		if (!(growth >= MIN_GROWTH && growth <= MAX_GROWTH)) {
			throw new IllegalArgumentException(
					"mailroom.warmup.growth must be from " + MIN_GROWTH + " to " + MAX_GROWTH);
		}
	}

	/** Mails permitted on each day, rounded; at least one day. */
	List<Long> allowances() {
		return LongStream.iterate(0, (day) -> day + 1)
			.map((day) -> Math.round(this.firstDay * Math.pow(this.growth, (double) day)))
			.takeWhile((mails) -> mails <= this.until)
			.boxed()
			.toList();
	}

}
