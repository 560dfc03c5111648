package dev.mailroom.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Brings a database to this release's schema, as the schema's owner. Forward only; run
 * from the standalone and from a deployment's job, never from an app.
 */
public final class Migrate {

	private Migrate() {
	}

	/**
	 * Runs every migration that the database has not seen.
	 * @param url where the database is, as {@code postgresql://host:port/name}
	 * @param owner the role that owns the tables, with its password
	 * @param app the role that the apps sign in with; it owns nothing and sees only the
	 * accounts that a transaction names
	 * @throws org.flywaydb.core.api.FlywayException where a migration fails; nothing of
	 * it stays behind
	 */
	public static void run(String url, Owner owner, String app) {
		Flyway flyway = configuration().dataSource("jdbc:" + url, owner.user(), owner.password())
			.placeholders(Map.of("app", app))
			.load();
		flyway.migrate();
		showVersion(flyway, app);
	}

	/** Lets the apps see which version the schema has. */
	private static void showVersion(Flyway flyway, String app) {
		String role = '"' + app.replace("\"", "\"\"") + '"';
		try (Connection connection = flyway.getConfiguration().getDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("grant select on flyway_schema_history to " + role);
		}
		catch (SQLException ex) {
			throw new FlywayException("The schema's version cannot be shown to " + app, ex);
		}
	}

	static FluentConfiguration configuration() {
		return Flyway.configure(Migrate.class.getClassLoader()).locations("classpath:db/migration");
	}

	/** The role that owns the schema. */
	public record Owner(String user, String password) {
	}

}
