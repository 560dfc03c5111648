package dev.mailroom.worker.webhook;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;

/** The header Retry-After (RFC 9110 section 10.2.3). */
final class RetryAfter {

	/** Longer requests are shortened, because a call is given up after some days. */
	private static final Duration MAX_DELAY = Duration.ofHours(24);

	private static final int MAX_DIGITS = 9;

	private RetryAfter() {
	}

	/**
	 * The requested delay, at most 24 hours; zero if the header is absent or unreadable.
	 */
	static Duration read(@Nullable String header, Instant now) {
		Duration delay = (header != null) ? parse(header.strip(), now) : Duration.ZERO;
		if (delay.isNegative()) {
			return Duration.ZERO;
		}
		return (delay.compareTo(MAX_DELAY) > 0) ? MAX_DELAY : delay;
	}

	private static Duration parse(String text, Instant now) {
		if (!text.isEmpty() && text.chars().allMatch((digit) -> digit >= '0' && digit <= '9')) {
			return (text.length() > MAX_DIGITS) ? MAX_DELAY : Duration.ofSeconds(Long.parseLong(text));
		}
		try {
			return Duration.between(now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME));
		}
		catch (DateTimeException _) {
			return Duration.ZERO;
		}
	}

}
