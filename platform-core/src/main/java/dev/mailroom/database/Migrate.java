package dev.mailroom.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;

/**
 * Migrates a database to this version's schema, with the owner's credentials. Forward
 * only; called by the standalone and by a deployment's job, never by an app.
 */
public final class Migrate {

	/**
	 * Limits the wait for a lock: statements of the apps queue behind a migration that
	 * waits for a dump or a long transaction.
	 */
	private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);

	private Migrate() {
	}

	/**
	 * Migrates the database that the environment names; the program of a deployment's
	 * job: {@code MAILROOM_DB_URL}, {@code MAILROOM_DB_OWNER_USER},
	 * {@code MAILROOM_DB_OWNER_PASSWORD} (not if the URL has a certificate) and, unless
	 * it is {@code mailroom}, {@code MAILROOM_DB_USER}. Fails with status 1.
	 */
	public static void main(String[] arguments) {
		Map<String, String> environment = System.getenv();
		String url = required(environment, "MAILROOM_DB_URL");
		String password = DatabaseUrl.parse(url).hasCertificate()
				? environment.getOrDefault("MAILROOM_DB_OWNER_PASSWORD", "")
				: required(environment, "MAILROOM_DB_OWNER_PASSWORD");
		run(url, new Owner(required(environment, "MAILROOM_DB_OWNER_USER"), password),
				environment.getOrDefault("MAILROOM_DB_USER", "mailroom"));
	}

	private static String required(Map<String, String> environment, String name) {
		String value = environment.getOrDefault(name, "");
		if (value.isBlank()) {
			throw new IllegalArgumentException(name + " is not set");
		}
		return value;
	}

	/**
	 * Runs the migrations that have not been applied to the database yet.
	 * @param url of the database, as {@link DatabaseUrl#parse} reads it
	 * @param owner the role that owns the tables, with its password
	 * @param app the role that the apps sign in with; it owns nothing and sees only the
	 * accounts that a transaction names
	 * @throws FlywayException if a migration fails, also because it waits for a lock,
	 * which is rolled back, or if the applied migrations are not those of this version
	 */
	public static void run(String url, Owner owner, String app) {
		run(url, owner, app, LOCK_TIMEOUT);
	}

	static void run(String url, Owner owner, String app, Duration lockTimeout) {
		Flyway flyway = Flyway.configure(Migrate.class.getClassLoader())
			.locations("classpath:db/migration")
			.dataSource(new JdbcConnections(DatabaseUrl.parse(url),
					new DatabaseUrl.Login(owner.user(), owner.password()), Map.of(), CONNECT_TIMEOUT, Duration.ZERO))
			.placeholders(Map.of("app", app))
			.initSql("set lock_timeout = " + lockTimeout.toMillis())
			.load();
		migrate(flyway, url);
		grantVersion(flyway, app);
	}

	private static void migrate(Flyway flyway, String url) {
		try {
			flyway.migrate();
		}
		catch (FlywayValidateException ex) {
			throw new FlywayException("The database " + url + " was set up with other migrations than those of this"
					+ " version of Mailroom. If an unreleased development version created it, it cannot be upgraded:"
					+ " stop the standalone and delete its data directory (MAILROOM_DATA_DIR, ./data by default), or"
					+ " drop an external database, and start again. If it holds data of a release, keep it and start"
					+ " that release or a later one.", ex);
		}
	}

	/** Grants the apps, and people who read, access to the schema's version. */
	private static void grantVersion(Flyway flyway, String app) {
		String role = '"' + app.replace("\"", "\"\"") + '"';
		try (Connection connection = flyway.getConfiguration().getDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("grant select on flyway_schema_history to mailroom_read, " + role);
		}
		catch (SQLException ex) {
			throw new FlywayException("Read access to the schema's version cannot be granted to " + app, ex);
		}
	}

	/** The role that owns the schema. */
	public record Owner(String user, String password) {
	}

}
