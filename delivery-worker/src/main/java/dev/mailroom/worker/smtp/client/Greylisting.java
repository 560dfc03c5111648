package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The time that a reply about greylisting names. */
final class Greylisting {

	/** A longer time is not believed. */
	private static final Duration LONGEST = Duration.ofHours(4);

	/** As in {@code come back in 00:04:59}. */
	private static final Pattern CLOCK = Pattern.compile("\\b(\\d{1,2}):(\\d{2}):(\\d{2})\\b");

	/** As in {@code try again in 300 seconds}. */
	private static final Pattern AMOUNT = Pattern
		.compile("\\b(\\d{1,5}) ?(s|secs?|seconds?|m|mins?|minutes?|h|hours?)\\b", Pattern.CASE_INSENSITIVE);

	private Greylisting() {
	}

	/** The time until the mail is accepted; empty if the reply names none. */
	static Optional<Duration> delay(String reply) {
		Matcher clock = CLOCK.matcher(reply);
		Optional<Duration> time = clock.find()
				? Optional
					.of(Duration.ofHours(number(clock, 1)).plusMinutes(number(clock, 2)).plusSeconds(number(clock, 3)))
				: AMOUNT.matcher(reply)
					.results()
					.findFirst()
					.map((amount) -> switch (Character.toLowerCase(amount.group(2).charAt(0))) {
						case 'h' -> Duration.ofHours(number(amount, 1));
						case 'm' -> Duration.ofMinutes(number(amount, 1));
						default -> Duration.ofSeconds(number(amount, 1));
					});
		return time.filter((delay) -> delay.isPositive() && delay.compareTo(LONGEST) <= 0);
	}

	private static long number(MatchResult match, int group) {
		return Long.parseLong(match.group(group));
	}

}
