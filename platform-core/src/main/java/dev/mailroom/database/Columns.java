package dev.mailroom.database;

import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

/**
 * Columns of rows as arrays, the parameters of {@code unnest}.
 *
 * @param <R> the type of the rows
 */
public final class Columns<R> {

	private final Collection<R> rows;

	private Columns(Collection<R> rows) {
		this.rows = rows;
	}

	public static <R> Columns<R> of(Collection<R> rows) {
		return new Columns<>(rows);
	}

	public @Nullable UUID[] uuids(Function<R, @Nullable UUID> column) {
		return array(column, UUID[]::new);
	}

	public @Nullable String[] texts(Function<R, @Nullable String> column) {
		return array(column, String[]::new);
	}

	public @Nullable Integer[] integers(Function<R, @Nullable Integer> column) {
		return array(column, Integer[]::new);
	}

	public @Nullable Long[] longs(Function<R, @Nullable Long> column) {
		return array(column, Long[]::new);
	}

	public @Nullable Boolean[] booleans(Function<R, @Nullable Boolean> column) {
		return array(column, Boolean[]::new);
	}

	/** A column of another type. */
	public <T> @Nullable T[] array(Function<R, @Nullable T> column, IntFunction<@Nullable T[]> array) {
		return this.rows.stream().map(column).toArray(array);
	}

}
