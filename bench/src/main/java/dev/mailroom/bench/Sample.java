package dev.mailroom.bench;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Measurement of one round.
 *
 * @param count number of mails or rows
 * @param nanos time from the first request to the last response
 * @param micros CPU time of each measured program, without client and sink
 */
public record Sample(long count, long nanos, Map<String, Long> micros) {

	/** Name of PostgreSQL among the programs. */
	public static final String DATABASE = "PostgreSQL";

	public double perSecond() {
		return this.count * 1e9 / this.nanos;
	}

	public double cpuEach() {
		return (double) this.micros.values().stream().mapToLong(Long::longValue).sum() / this.count;
	}

	public double databaseCpuEach() {
		return (double) this.micros.getOrDefault(DATABASE, 0L) / this.count;
	}

	/**
	 * CPU time of each program for a mail or row, such as {@code API 120, worker 300}.
	 */
	public String cpuOfEach() {
		return new TreeMap<>(this.micros).entrySet()
			.stream()
			.map((entry) -> String.format(Locale.ROOT, "%s %.0f", entry.getKey(),
					(double) entry.getValue() / this.count))
			.collect(Collectors.joining(", "));
	}

}
