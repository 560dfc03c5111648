package dev.mailroom.database;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.support.AbstractSqlTypeValue;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * A statement with named parameters that runs in the transactions of both drivers: R2DBC,
 * and JDBC in the group commit and in the worker.
 */
public final class SqlStatement {

	/** Types of PostgreSQL for the elements of arrays. */
	private static final Map<Class<?>, String> ELEMENT_TYPES = Map.of(UUID.class, "uuid", String.class, "text",
			Integer.class, "int4", Long.class, "int8", Boolean.class, "bool", Instant.class, "timestamptz",
			LocalDate.class, "date", Double.class, "float8");

	private final String sql;

	private final Map<String, Object> parameters = new LinkedHashMap<>();

	private SqlStatement(String sql) {
		this.sql = sql;
	}

	public static SqlStatement of(String sql) {
		return new SqlStatement(sql);
	}

	public SqlStatement bind(String name, Object value) {
		this.parameters.put(name, value);
		return this;
	}

	/** The statement for R2DBC. */
	public DatabaseClient.GenericExecuteSpec on(DatabaseClient database) {
		DatabaseClient.GenericExecuteSpec statement = database.sql(this.sql);
		for (Map.Entry<String, Object> parameter : this.parameters.entrySet()) {
			statement = statement.bind(parameter.getKey(), parameter.getValue());
		}
		return statement;
	}

	/** Runs a query over JDBC. */
	public <T> List<T> list(JdbcClient jdbc, Function<Readable, T> row) {
		return on(jdbc).query((result, _) -> row.apply(new ResultSetRow(result))).list();
	}

	/**
	 * Runs a query over JDBC; reads the first column of each row, which is never null.
	 */
	public <T> List<T> values(JdbcClient jdbc, Class<T> type) {
		return list(jdbc, (row) -> Objects.requireNonNull(row.get(0, type)));
	}

	/** Like {@link #values}, for a query with one row. */
	public <T> T value(JdbcClient jdbc, Class<T> type) {
		return values(jdbc, type).getFirst();
	}

	/**
	 * Runs an insert, update or delete over JDBC.
	 * @return the number of rows
	 */
	public int update(JdbcClient jdbc) {
		return on(jdbc).update();
	}

	/** Runs a query over JDBC whose result is not needed. */
	public void run(JdbcClient jdbc) {
		on(jdbc).query((RowCallbackHandler) (_) -> {
		});
	}

	private JdbcClient.StatementSpec on(JdbcClient jdbc) {
		JdbcClient.StatementSpec statement = jdbc.sql(this.sql);
		for (Map.Entry<String, Object> parameter : this.parameters.entrySet()) {
			statement = statement.param(parameter.getKey(), jdbcValue(parameter.getValue()));
		}
		return statement;
	}

	private static Object jdbcValue(Object value) {
		if (value instanceof Instant time) {
			return time.atOffset(ZoneOffset.UTC);
		}
		return (value instanceof Object[] array) ? new ArrayValue(array) : value;
	}

	/** An array, for which JDBC needs the connection. */
	private static final class ArrayValue extends AbstractSqlTypeValue {

		private final Object[] elements;

		ArrayValue(Object[] elements) {
			this.elements = elements;
		}

		@Override
		protected Object createTypeValue(Connection connection, int sqlType, @Nullable String typeName)
				throws SQLException {
			return (this.elements instanceof UUID[] ids) ? new UuidArray(ids) : connection
				.createArrayOf(ELEMENT_TYPES.get(this.elements.getClass().componentType()), this.elements);
		}

	}

	/**
	 * An array of UUIDs in the binary format (as PostgreSQL's array_send writes it). The
	 * driver itself sends such arrays as text, which costs more on both sides.
	 */
	private static final class UuidArray extends PGobject implements PGBinaryObject {

		private static final long serialVersionUID = 1L;

		private static final int UUID_OID = 2950;

		/** Dimensions, flags, type, length and lower bound. */
		private static final int HEADER_BYTES = 20;

		private static final int UUID_BYTES = 16;

		private final @Nullable UUID[] ids;

		UuidArray(@Nullable UUID[] ids) {
			this.ids = ids;
			setType("_uuid");
		}

		@Override
		public int lengthInBytes() {
			int present = (int) Arrays.stream(this.ids).filter(Objects::nonNull).count();
			return HEADER_BYTES + this.ids.length * Integer.BYTES + present * UUID_BYTES;
		}

		@Override
		public void toBytes(byte[] bytes, int offset) {
			ByteBuffer target = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
			boolean hasNulls = Arrays.stream(this.ids).anyMatch(Objects::isNull);
			target.putInt(1).putInt(hasNulls ? 1 : 0).putInt(UUID_OID).putInt(this.ids.length).putInt(1);
			for (@Nullable
			UUID id : this.ids) {
				if (id == null) {
					target.putInt(-1);
				}
				else {
					target.putInt(UUID_BYTES)
						.putLong(id.getMostSignificantBits())
						.putLong(id.getLeastSignificantBits());
				}
			}
		}

		/** The text, which the driver sends if binary transfer of the type is off. */
		@Override
		public String getValue() {
			return Arrays.stream(this.ids)
				.map((id) -> (id != null) ? id.toString() : "null")
				.collect(Collectors.joining(",", "{", "}"));
		}

		@Override
		public void setByteValue(byte[] value, int offset) {
			throw new UnsupportedOperationException();
		}

	}

}
