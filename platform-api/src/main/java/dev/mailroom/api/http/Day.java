package dev.mailroom.api.http;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/** Parses the query parameters from and to into days of UTC. */
public final class Day {

	private Day() {
	}

	/** The day of a date or of a time with offset; null if the parameter is absent. */
	public static @Nullable LocalDate read(String parameter, @Nullable String text) {
		if (text == null) {
			return null;
		}
		try {
			return (text.indexOf('T') < 0) ? LocalDate.parse(text)
					: OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC).toLocalDate();
		}
		catch (DateTimeException _) {
			throw invalid(parameter, "must be a date such as 2026-11-21, or a time with its offset");
		}
	}

	/** Refuses a period that ends before it begins. */
	public static void checkOrder(@Nullable LocalDate from, @Nullable LocalDate to) {
		if (from != null && to != null && to.isBefore(from)) {
			throw invalid("to", "must not be before from");
		}
	}

	private static RuntimeException invalid(String parameter, String message) {
		return Refusal.INVALID_REQUEST.field(parameter, message);
	}

}
