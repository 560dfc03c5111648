package dev.mailroom.move;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.mailroom.database.DatabaseUrl;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;

/**
 * A connection to the database of a cell, with the role that sees all accounts. A
 * transaction is always open after a statement.
 */
final class CellDatabase implements AutoCloseable {

	/** Rows of one statement, and of one transaction of rows that are copied early. */
	private static final int CHUNK_ROWS = 5000;

	private static final int CHUNK_BYTES = 16 << 20;

	private final Connection connection;

	private CellDatabase(Connection connection) {
		this.connection = connection;
	}

	static CellDatabase open(String url, DatabaseUrl.Login login) throws SQLException {
		Connection connection = DatabaseUrl.parse(url).connect(login);
		try (Statement statement = connection.createStatement()) {
			// Statements on changed rows find them by their keys.
			statement.execute("""
					set role mailroom_system; set time zone 'UTC'; set lock_timeout = '20s'; set statement_timeout = 0;
					set idle_in_transaction_session_timeout = 0; set enable_seqscan = off; set enable_hashjoin = off;
					set enable_mergejoin = off""");
			connection.setAutoCommit(false);
			return new CellDatabase(connection);
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
	}

	/** Runs a statement and returns the rows of its only column. */
	List<String> rows(String sql, @Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = prepare(sql, arguments); ResultSet result = statement.executeQuery()) {
			List<String> rows = new ArrayList<>();
			while (result.next()) {
				rows.add(String.valueOf(result.getString(1)));
			}
			return rows;
		}
	}

	/** The first row of {@link #rows}; null if there is none or it has no value. */
	@Nullable String value(String sql, @Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = prepare(sql, arguments); ResultSet result = statement.executeQuery()) {
			return result.next() ? result.getString(1) : null;
		}
	}

	/** Runs a statement and returns the number of its rows. */
	int run(String sql, @Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = prepare(sql, arguments)) {
			return statement.execute() ? 0 : statement.getUpdateCount();
		}
	}

	private PreparedStatement prepare(String sql, @Nullable Object... arguments) throws SQLException {
		PreparedStatement statement = this.connection.prepareStatement(sql);
		for (int i = 0; i < arguments.length; i++) {
			statement.setObject(i + 1, arguments[i]);
		}
		return statement;
	}

	/** Opens a transaction that sees one state of the database. */
	void beginRepeatableRead() throws SQLException {
		rollback();
		run("set transaction isolation level repeatable read");
	}

	void commit() throws SQLException {
		this.connection.commit();
	}

	void rollback() throws SQLException {
		this.connection.rollback();
	}

	List<CopiedTable> tables() throws SQLException {
		List<CopiedTable> tables = new ArrayList<>();
		try (PreparedStatement statement = prepare("select * from copied_tables()");
				ResultSet row = statement.executeQuery()) {
			while (row.next()) {
				tables.add(new CopiedTable(row.getString("name"), row.getString("owner"), texts(row.getArray("key")),
						row.getBoolean("unique_key"), texts(row.getArray("columns")), row.getBoolean("ahead"),
						row.getBoolean("log")));
			}
		}
		return tables;
	}

	private static List<String> texts(Array array) throws SQLException {
		return Arrays.asList((String[]) array.getArray());
	}

	/**
	 * Copies rows into another database, where they replace those with the same keys.
	 * @param select returns the values of the table's columns
	 * @param commit whether each part of the rows is committed
	 */
	void copy(String select, CellDatabase target, CopiedTable table, boolean commit) throws SQLException {
		CopyOut rows = new CopyManager(this.connection.unwrap(BaseConnection.class))
			.copyOut("copy (" + select + ") to stdout");
		List<byte[]> chunk = new ArrayList<>();
		int bytes = 0;
		for (byte[] row = rows.readFromCopy(); row != null; row = rows.readFromCopy()) {
			chunk.add(row);
			bytes += row.length;
			if (chunk.size() == CHUNK_ROWS || bytes > CHUNK_BYTES) {
				target.replace(table, chunk);
				if (commit) {
					target.commit();
				}
				chunk.clear();
				bytes = 0;
			}
		}
		if (!chunk.isEmpty()) {
			target.replace(table, chunk);
		}
		if (commit) {
			target.commit();
		}
	}

	/** The policies permit no COPY into their tables. */
	private void replace(CopiedTable table, List<byte[]> rows) throws SQLException {
		run("create temporary table if not exists " + table.incoming() + " (like " + CopiedTable.quoted(table.name())
				+ ")");
		run("truncate " + table.incoming());
		CopyIn copy = new CopyManager(this.connection.unwrap(BaseConnection.class))
			.copyIn("copy " + table.incoming() + " (" + CopiedTable.list(table.columns()) + ") from stdin");
		try {
			for (byte[] row : rows) {
				copy.writeToCopy(row, 0, row.length);
			}
			copy.endCopy();
		}
		finally {
			if (copy.isActive()) {
				copy.cancelCopy();
			}
		}
		if (!table.uniqueKey()) {
			run("delete from " + CopiedTable.quoted(table.name()) + " where (" + table.keys() + ") in (select "
					+ table.keys() + " from " + table.incoming() + ")");
		}
		run(table.insert());
	}

	/**
	 * Number and sum of the hashes of an account's rows.
	 * @param values expressions of the columns
	 */
	String checksum(CopiedTable table, List<String> values, String people) throws SQLException {
		return rows("select count(*) || ' rows, checksum ' || coalesce(sum(('x' || left(md5(row("
				+ String.join(", ", values) + ")::text), 16))::bit(64)::bigint::numeric), 0) from "
				+ CopiedTable.quoted(table.name()) + " where " + CopiedTable.quoted(table.owner()) + " = any (" + people
				+ ")")
			.getFirst();
	}

	/** The text as a constant of SQL. */
	static String literal(String text) {
		return "'" + text.replace("'", "''") + "'";
	}

	@Override
	public void close() throws SQLException {
		this.connection.close();
	}

}
