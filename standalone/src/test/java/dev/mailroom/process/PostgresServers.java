package dev.mailroom.process;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** PostgreSQL server, or several of which one takes writes. */
public interface PostgresServers extends AutoCloseable {

	/** URL of a database for the apps. */
	String url(String name);

	/** A connection of the superuser to the server that takes writes. */
	Connection connect(String database) throws SQLException;

	default void run(String database, String sql) throws SQLException {
		try (Connection connection = connect(database); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** The rows of a query, with all columns as text. */
	default List<List<String>> rows(String database, String sql) throws SQLException {
		List<List<String>> rows = new ArrayList<>();
		try (Connection connection = connect(database);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			while (result.next()) {
				List<String> row = new ArrayList<>();
				for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
					row.add(result.getString(column));
				}
				rows.add(row);
			}
		}
		return rows;
	}

}
