package dev.mailroom.tlspolicy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Policy of a domain (RFC 8461 section 3.2).
 *
 * @param id the id of the TXT record under which it was fetched; empty for none
 * @param mx patterns of the names of mail servers, in lower case
 * @param maxAge time for which the policy applies after it was fetched
 */
public record StsPolicy(String id, Mode mode, List<String> mx, Duration maxAge, Instant fetchedAt) {

	/** No policy. */
	public static final StsPolicy NONE = new StsPolicy("", Mode.NONE, List.of(), Duration.ZERO, Instant.EPOCH);

	private static final long MAX_AGE_SECONDS = 31_557_600;

	private static final int MAX_PATTERNS = 1000;

	private static final Duration REFRESH = Duration.ofDays(1);

	/** Effects of a policy. */
	public enum Mode {

		/** Mail is handed only to permitted servers with a valid certificate. */
		ENFORCE,
		/** Failures are counted, and mail is handed over as without a policy. */
		TESTING,
		/** No demands. */
		NONE;

		/** The value in a policy. */
		public String text() {
			return name().toLowerCase(Locale.ROOT);
		}

		/** Parses the value of a policy. */
		static Mode of(String text) {
			for (Mode mode : values()) {
				if (mode.text().equals(text)) {
					return mode;
				}
			}
			throw new IllegalArgumentException("The mode is neither enforce, testing nor none");
		}

	}

	/**
	 * Parses a policy. Lines end with LF or CRLF, unknown keys are ignored, and of a
	 * repeated key other than {@code mx} the first one counts.
	 * @throws IllegalArgumentException if it is not valid
	 */
	public static StsPolicy parse(String id, String text, Instant fetchedAt) {
		Map<String, String> values = new HashMap<>();
		List<String> patterns = new ArrayList<>();
		for (String line : text.split("\r?\n", -1)) {
			int colon = line.indexOf(':');
			if (colon < 0) {
				if (!line.isBlank()) {
					throw new IllegalArgumentException("A line has no colon");
				}
				continue;
			}
			String key = line.substring(0, colon).strip();
			String value = line.substring(colon + 1).strip();
			if (key.equals("mx")) {
				patterns.add(pattern(value));
			}
			else {
				values.putIfAbsent(key, value);
			}
		}
		if (!"STSv1".equals(values.get("version"))) {
			throw new IllegalArgumentException("The version is not STSv1");
		}
		Mode mode = Mode.of(values.getOrDefault("mode", ""));
		if ((patterns.isEmpty() && mode != Mode.NONE) || patterns.size() > MAX_PATTERNS) {
			throw new IllegalArgumentException("The number of its mail servers is " + patterns.size());
		}
		String age = values.getOrDefault("max_age", "");
		if (!age.matches("\\d{1,10}")) {
			throw new IllegalArgumentException("max_age is not a number of seconds");
		}
		return new StsPolicy(id, mode, List.copyOf(patterns),
				Duration.ofSeconds(Math.min(Long.parseLong(age), MAX_AGE_SECONDS)), fetchedAt);
	}

	private static String pattern(String text) {
		String pattern = text.toLowerCase(Locale.ROOT);
		if (!pattern.matches("(\\*\\.)?[a-z0-9_-]+(\\.[a-z0-9_-]+)*")) {
			throw new IllegalArgumentException("The name of a mail server is not valid");
		}
		return pattern;
	}

	/**
	 * Whether the policy permits a mail server. A pattern with {@code *.} matches exactly
	 * one more label.
	 * @param host name in the MX record
	 */
	public boolean permits(String host) {
		String name = host.toLowerCase(Locale.ROOT);
		return this.mx.stream()
			.anyMatch((pattern) -> pattern.startsWith("*.")
					? name.indexOf('.') > 0 && name.substring(name.indexOf('.')).equals(pattern.substring(1))
					: name.equals(pattern));
	}

	/** The lines of the policy, without the line ends. */
	public List<String> lines() {
		return Stream.of(Stream.of("version: STSv1", "mode: " + this.mode.text()),
				this.mx.stream().map((pattern) -> "mx: " + pattern), Stream.of("max_age: " + this.maxAge.toSeconds()))
			.flatMap((part) -> part)
			.toList();
	}

	/** Whether it was fetched and applies at a time. */
	public boolean isValid(Instant now) {
		return !this.id.isEmpty() && now.isBefore(this.fetchedAt.plus(this.maxAge));
	}

	/** Whether it should be fetched again: after half of its time, and at least daily. */
	public boolean isRefreshDue(Instant now) {
		Duration half = this.maxAge.dividedBy(2);
		return !now.isBefore(this.fetchedAt.plus((half.compareTo(REFRESH) < 0) ? half : REFRESH));
	}

	/** Whether mail is handed only to permitted servers with a valid certificate. */
	public boolean isEnforced() {
		return this.mode == Mode.ENFORCE;
	}

}
