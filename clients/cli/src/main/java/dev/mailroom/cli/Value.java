package dev.mailroom.cli;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A part of an answer. The program shows what the server sent, also fields that it does
 * not know.
 */
record Value(@Nullable Object it) {

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

	Value at(String... path) {
		Object found = this.it;
		for (String name : path) {
			found = (found instanceof Map<?, ?> map) ? map.get(name) : null;
		}
		return new Value(found);
	}

	boolean absent() {
		return this.it == null;
	}

	/** The text as it is, for comparisons and requests. */
	String raw() {
		return (this.it instanceof BigDecimal number) ? number.toPlainString()
				: (this.it != null) ? this.it.toString() : "";
	}

	/** The text for a terminal. */
	String text() {
		return Output.clean(raw());
	}

	long number() {
		return (this.it instanceof Number number) ? number.longValue() : 0;
	}

	boolean is(Object expected) {
		return expected.equals(this.it);
	}

	List<Value> list() {
		return (this.it instanceof List<?> list) ? list.stream().map((element) -> new Value(element)).toList()
				: List.of();
	}

	/** The elements of a list, separated by commas. */
	String joined() {
		return String.join(", ", list().stream().map(Value::text).toList());
	}

	/** A time in the time zone of the person. */
	String time() {
		return absent() ? "" : TIME.format(instant().atZone(ZoneId.systemDefault()));
	}

	Instant instant() {
		return OffsetDateTime.parse(raw()).toInstant();
	}

}
