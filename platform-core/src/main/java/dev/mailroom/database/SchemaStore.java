package dev.mailroom.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

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
	private static final String COMMIT_SETTINGS = """
			select name, setting from pg_settings
			 where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names')
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

	/** The settings on which it depends what a commit survives. */
	Mono<Map<String, String>> commitSettings() {
		return this.database.sql(COMMIT_SETTINGS)
			.map((row) -> Map.entry(String.valueOf(row.get("name", String.class)),
					String.valueOf(row.get("setting", String.class))))
			.all()
			.collectMap(Map.Entry::getKey, Map.Entry::getValue);
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

	/** The end of the WAL with everything that the primary has confirmed. */
	Mono<Long> confirmed() {
		return this.database.sql("select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint")
			.mapValue(Long.class)
			.one();
	}

	/**
	 * The end of the WAL that a standby has replayed; -1 of a server that follows no
	 * other.
	 */
	Mono<Long> replayed() {
		return this.database.sql("""
				select case when pg_is_in_recovery() and exists (select from pg_stat_wal_receiver)
				            then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint else -1 end
				""").mapValue(Long.class).one();
	}

	/** The identifier that a server has in common with its standbys alone. */
	Mono<Long> cluster() {
		return this.database.sql("select system_identifier from pg_control_system()").mapValue(Long.class).one();
	}

	/** Blocking variant of {@link #commitSettings()} for the start of an app. */
	static Map<String, String> commitSettings(Connection connection) throws SQLException {
		Map<String, String> settings = new HashMap<>();
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(COMMIT_SETTINGS)) {
			while (rows.next()) {
				settings.put(rows.getString("name"), rows.getString("setting"));
			}
		}
		return settings;
	}

}
