package dev.mailroom.database;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.TypeMismatchDataAccessException;

/** A row of JDBC, for mappers that read rows of R2DBC. */
final class ResultSetRow implements Readable {

	private final ResultSet result;

	ResultSetRow(ResultSet result) {
		this.result = result;
	}

	@Override
	public <T> @Nullable T get(int index, Class<T> type) {
		try {
			if (type == String.class) {
				// Also reads JSON, which the driver does not return as a String object.
				return type.cast(this.result.getString(index + 1));
			}
			if (type == byte[].class) {
				return type.cast(this.result.getBytes(index + 1));
			}
			if (type.isArray()) {
				@Nullable Array array = this.result.getArray(index + 1);
				return (array != null) ? type.cast(array.getArray()) : null;
			}
			if (type == Instant.class) {
				@Nullable OffsetDateTime time = this.result.getObject(index + 1, OffsetDateTime.class);
				return (time != null) ? type.cast(time.toInstant()) : null;
			}
			return this.result.getObject(index + 1, type);
		}
		catch (SQLException ex) {
			throw new TypeMismatchDataAccessException("Column " + (index + 1) + " is no " + type.getSimpleName(), ex);
		}
	}

	@Override
	public <T> @Nullable T get(String name, Class<T> type) {
		try {
			return get(this.result.findColumn(name) - 1, type);
		}
		catch (SQLException ex) {
			throw new TypeMismatchDataAccessException("There is no column " + name, ex);
		}
	}

	@Override
	public @Nullable Object get(int index) {
		return get(index, Object.class);
	}

	@Override
	public @Nullable Object get(String name) {
		return get(name, Object.class);
	}

}
