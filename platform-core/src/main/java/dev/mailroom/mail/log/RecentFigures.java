package dev.mailroom.mail.log;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Mails that were accepted in the last hours, by their present status.
 *
 * @param hours the hours of UTC up to the current one, oldest first
 * @param oldestWaitingAt acceptance of the oldest mail that waits to be sent; null
 * without one. Scheduled mail does not count.
 * @param complete false if only the newest {@link #MAX_READ} mails were counted
 */
public record RecentFigures(List<Hour> hours, @Nullable Instant oldestWaitingAt, boolean complete) {

	/** Largest number of mails that are counted. */
	static final int MAX_READ = 100_000;

	/** Sums up the counts of a store. */
	static RecentFigures of(Instant since, int hours, List<Count> counts) {
		// The clocks of two machines differ: a mail may be a little younger than this
		// hour.
		Map<Integer, List<Count>> byHour = counts.stream()
			.collect(Collectors
				.groupingBy((count) -> Math.clamp(Duration.between(since, count.at()).toHours(), 0, hours - 1)));
		@Nullable Instant oldest = counts.stream()
			.filter(Count::isWaiting)
			.map(Count::oldest)
			.min(Instant::compareTo)
			.orElse(null);
		long read = counts.stream().mapToLong(Count::count).sum();
		return new RecentFigures(IntStream.range(0, hours)
			.mapToObj((index) -> Hour.of(since.plus(Duration.ofHours(index)), byHour.getOrDefault(index, List.of())))
			.toList(), oldest, read < MAX_READ);
	}

	/**
	 * Mails that were accepted in one hour.
	 *
	 * @param at beginning of the hour
	 * @param waiting mails that wait to be sent or are being sent
	 * @param scheduled mails that wait for their time
	 * @param sent mails that a relay accepted
	 */
	public record Hour(Instant at, long accepted, long waiting, long scheduled, long sent, long delivered, long bounced,
			long complained, long failed) {

		private static Hour of(Instant at, List<Count> counts) {
			return new Hour(at, counts.stream().mapToLong(Count::count).sum(),
					counts.stream().filter(Count::isWaiting).mapToLong(Count::count).sum(),
					counts.stream().filter(Count::isScheduled).mapToLong(Count::count).sum(), sum(counts, "sent"),
					sum(counts, "delivered"), sum(counts, "bounced"), sum(counts, "complained"), sum(counts, "failed"));
		}

		private static long sum(List<Count> counts, String status) {
			return counts.stream().filter((count) -> count.status().equals(status)).mapToLong(Count::count).sum();
		}

	}

	/**
	 * Number of mails with one status that were accepted in one hour.
	 *
	 * @param at beginning of the hour
	 * @param scheduled whether the last event of the mails is that they were scheduled
	 * @param oldest acceptance of the oldest of them
	 */
	record Count(Instant at, String status, boolean scheduled, long count, Instant oldest) {

		private boolean isWaiting() {
			return this.status.equals("pending") && !this.scheduled;
		}

		private boolean isScheduled() {
			return this.status.equals("pending") && this.scheduled;
		}

	}

}
