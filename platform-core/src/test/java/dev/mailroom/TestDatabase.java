package dev.mailroom;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import dev.mailroom.account.QuickPasswords;
import dev.mailroom.database.Migrate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Embedded PostgreSQL for tests, one server per virtual machine, with the schema and the
 * two roles of a deployment. Each test uses its own accounts.
 */
public final class TestDatabase implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	public static final String OWNER = "mailroom_owner";

	public static final String APP = "mailroom";

	public static final String PASSWORD = "secret";

	private static final EmbeddedPostgres SERVER = start();

	/** The address of the database in the form of {@code MAILROOM_DB_URL}. */
	public static final String URL = "postgresql://localhost:" + SERVER.getPort() + "/mailroom";

	static {
		execute("postgres", "create role " + OWNER + " login createrole password '" + PASSWORD + "'");
		execute("postgres", "create role " + APP + " login noinherit password '" + PASSWORD + "'");
		execute("postgres", "create database mailroom owner " + OWNER);
		Migrate.run(URL, new Migrate.Owner(OWNER, PASSWORD), APP);
	}

	private static EmbeddedPostgres start() {
		try {
			return EmbeddedPostgres.builder()
				.setServerConfig("fsync", "on")
				.setServerConfig("full_page_writes", "on")
				.setServerConfig("synchronous_commit", "on")
				.setServerConfig("max_connections", "200")
				.setServerConfig("wal_level", "logical")
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Runs a statement as the superuser, who bypasses row-level security. */
	public static void execute(String database, String sql) {
		try (Connection connection = connect(database); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(sql, ex);
		}
	}

	/** Opens a connection as the superuser, who bypasses row-level security. */
	public static Connection connect(String database) throws SQLException {
		return SERVER.getDatabase("postgres", database).getConnection();
	}

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		TestPropertyValues
			.of("spring.r2dbc.url=r2dbc:" + URL, "spring.r2dbc.username=" + APP, "spring.r2dbc.password=" + PASSWORD,
					"mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=")
			.applyTo(context);
		String replica = System.getProperty("test.replica", "");
		if (!replica.isEmpty()) {
			TestPropertyValues.of("mailroom.database.replica-url=" + TestReplica.url(replica)).applyTo(context);
		}
		QuickPasswords.register(context);
	}

}
