package dev.mailroom.database;

import java.util.Objects;

import io.r2dbc.spi.Readable;

/**
 * Reads the columns of rows of frequent queries. Spring's reflective mapper dominated the
 * profile of the queue.
 */
public final class RowColumns {

	private RowColumns() {
	}

	public static String text(Readable row, String column) {
		return value(row, column, String.class);
	}

	public static boolean on(Readable row, String column) {
		return Boolean.TRUE.equals(row.get(column, Boolean.class));
	}

	public static int number(Readable row, String column) {
		return value(row, column, Integer.class);
	}

	/** The value of a column that is never null. */
	public static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
