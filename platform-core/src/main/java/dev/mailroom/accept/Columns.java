package dev.mailroom.accept;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How a list goes into a column of a group's statement: {@code unnest} takes no arrays of
 * arrays.
 */
final class Columns {

	private Columns() {
	}

	/** A list as the text of a PostgreSQL array (its manual, 8.15.2). */
	static String array(List<?> values) {
		return values.stream().map(Columns::quoted).collect(Collectors.joining(",", "{", "}"));
	}

	private static String quoted(Object value) {
		return "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
	}

}
