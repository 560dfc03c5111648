package dev.mailroom.schema;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** What the database says of itself. */
@Repository
@AcrossAccounts("the schema and the server's settings are nobody's")
class SchemaStore {

	/** As this session sees them: a role or a database may have its own. */
	private static final String LAX = """
			select name from pg_settings
			 where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name
			""";

	private final DatabaseClient database;

	SchemaStore(DatabaseClient database) {
		this.database = database;
	}

	/** The versions of every migration that has been run. */
	Flux<String> versions() {
		return this.database.sql("select version from flyway_schema_history where success and version is not null")
			.mapValue(String.class)
			.all();
	}

	/** The settings with which a crash would lose what was confirmed. */
	Flux<String> lax() {
		return this.database.sql(LAX).mapValue(String.class).all();
	}

	/** The same, for a start that must not go on before it knows. */
	static List<String> laxNow(String url, Properties login) throws SQLException {
		List<String> names = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(url, login);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(LAX)) {
			while (rows.next()) {
				names.add(rows.getString(1));
			}
		}
		return names;
	}

}
