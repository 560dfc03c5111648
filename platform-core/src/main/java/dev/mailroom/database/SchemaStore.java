package dev.mailroom.database;

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
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL about the schema and the settings of the server. */
@Repository
@AcrossAccounts("the schema and the server's settings belong to no account")
class SchemaStore {

	/** Settings of this session; a role and a database can override the server's. */
	private static final String UNSAFE_SETTINGS = """
			select name from pg_settings
			 where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name
			""";

	private final DatabaseClient database;

	SchemaStore(DatabaseClient database) {
		this.database = database;
	}

	/** The versions of the migrations that were run. */
	Flux<String> versions() {
		return this.database.sql("select version from flyway_schema_history where success and version is not null")
			.mapValue(String.class)
			.all();
	}

	/** The settings with which a crash could lose committed transactions. */
	Flux<String> unsafeSettings() {
		return this.database.sql(UNSAFE_SETTINGS).mapValue(String.class).all();
	}

	/**
	 * Whether the server accepts writes: not a standby, and not read-only by its
	 * settings.
	 */
	Mono<Boolean> isWritable() {
		return this.database.sql("select current_setting('transaction_read_only') = 'off'")
			.mapValue(Boolean.class)
			.one();
	}

	/** Blocking variant of {@link #unsafeSettings()} for the start of an app. */
	static List<String> unsafeSettingsNow(String url, Properties login) throws SQLException {
		List<String> names = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(url, login);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(UNSAFE_SETTINGS)) {
			while (rows.next()) {
				names.add(rows.getString(1));
			}
		}
		return names;
	}

}
