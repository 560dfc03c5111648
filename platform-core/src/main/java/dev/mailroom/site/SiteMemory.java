package dev.mailroom.site;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Knowledge about the pace of a site. The present pace follows from the time since it was
 * learned, so that nothing is written while it grows.
 *
 * @param site key of the site
 * @param source sending address for which it was learned; empty for the one that the
 * operating system chooses, and for a pause by an operator, which is for all
 * @param profile name of its profile
 * @param pace share of the limits of the profile, at most 1
 * @param pacedAt time from which the pace grows
 * @param baseRate mails per minute at the first slowdown, the measure of the pace where
 * the profile names no rate
 * @param pausedUntil end of the last pause; null if there was none
 * @param pauses number of pauses in succession
 * @param reply the reply that was learned from last, or the reason of an operator
 */
public record SiteMemory(String site, String source, String profile, double pace, Instant pacedAt, int baseRate,
		@Nullable Instant pausedUntil, int pauses, String reply, Instant learnedAt) {

	/** Least pace; sessions and rate are at least one. */
	private static final double MIN_PACE = 0.01;

	private static final double GROWTH = 0.1;

	private static final Duration GROWS_AFTER = Duration.ofMinutes(10);

	/** Time in which replies answer mail that was under way when the site was slowed. */
	private static final Duration SETTLING = Duration.ofSeconds(30);

	private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);

	private static final Duration LONGEST_PAUSE = Duration.ofHours(2);

	/** Time after a pause in which another one is a repetition. */
	private static final Duration PROBATION = Duration.ofHours(1);

	/** Least rate that the pace is measured by, in mails per minute. */
	private static final int MIN_BASE_RATE = 60;

	/** The memory of a site of which nothing was learned. */
	public static SiteMemory none(Site site, String source, Instant now) {
		return new SiteMemory(site.key(), source, site.profile(), 1, now, 0, null, 0, "", now);
	}

	/** The present share of the profile's limits. */
	public double paceAt(Instant now) {
		long periods = Math.max(0, Duration.between(this.pacedAt, now).dividedBy(GROWS_AFTER));
		return Math.min(1, this.pace + periods * GROWTH);
	}

	/** Time for which nothing is sent; zero if the site is not paused. */
	public Duration pausedFor(Instant now) {
		return (this.pausedUntil != null && this.pausedUntil.isAfter(now)) ? Duration.between(now, this.pausedUntil)
				: Duration.ZERO;
	}

	/** Whether nothing of it matters any more. */
	public boolean isOver(Instant now) {
		return paceAt(now) >= 1 && (this.pausedUntil == null || now.isAfter(this.pausedUntil.plus(PROBATION)));
	}

	/**
	 * Halves the pace, unless it was halved just now.
	 * @param rate present number of mails per minute
	 */
	public SiteMemory slowed(Instant now, long rate, String why) {
		double present = paceAt(now);
		if (present < 1 && now.isBefore(this.pacedAt.plus(SETTLING))) {
			return this;
		}
		int base = (present < 1) ? this.baseRate : Math.clamp(rate, MIN_BASE_RATE, Integer.MAX_VALUE);
		return new SiteMemory(this.site, this.source, this.profile, Math.max(MIN_PACE, present / 2), now, base,
				this.pausedUntil, this.pauses, why, now);
	}

	/**
	 * Begins a pause, unless one lasts. The pace grows after it.
	 * @param duration null for the next of a series
	 */
	public SiteMemory paused(Instant now, @Nullable Duration duration, String why) {
		if (pausedFor(now).isPositive()) {
			return this;
		}
		boolean again = this.pausedUntil != null && now.isBefore(this.pausedUntil.plus(PROBATION));
		int number = again ? this.pauses + 1 : 1;
		Duration next = FIRST_PAUSE.multipliedBy(1L << Math.min(number - 1, 10));
		Duration length = (duration != null) ? duration : (next.compareTo(LONGEST_PAUSE) < 0) ? next : LONGEST_PAUSE;
		Instant end = now.plus(length);
		return new SiteMemory(this.site, this.source, this.profile, paceAt(now), end, this.baseRate, end, number, why,
				now);
	}

}
