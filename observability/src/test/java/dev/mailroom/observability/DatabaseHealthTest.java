package dev.mailroom.observability;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.BooleanSupplier;

import dev.mailroom.Await;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.Migrate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class DatabaseHealthTest {

	@Test
	void theDatabaseIsUpWithTheSchemaOfTheRelease() {
		assertHealth(TestDatabase.URL, Status.UP, () -> true);
	}

	@Test
	void theDatabaseIsDownWithAnOlderSchemaAndOnlyTheLogNamesTheCause(CapturedOutput output) {
		TestDatabase.execute("postgres", "create database older");
		TestDatabase.execute("older", "create table flyway_schema_history (version text, success boolean);"
				+ "insert into flyway_schema_history values ('1', true); grant select on flyway_schema_history to mailroom");
		assertHealth(TestDatabase.URL.replace("/mailroom", "/older"), Status.DOWN, () -> output.toString()
			.contains("Not ready: The database's schema has version 1 and this release needs"));
	}

	@Test
	void anUnreachableDatabaseIsDownWithinTheTimeout() {
		assertHealth("postgresql://localhost:1/nowhere", Status.DOWN, () -> true);
	}

	@Test
	void anAppServesWhileTheDatabaseIsAwayAndNotWhileItIsAStandby(@TempDir Path directory, CapturedOutput output)
			throws Exception {
		int port = freePort();
		EmbeddedPostgres primary = server(directory, port);
		run(primary, "postgres", "create role mailroom_owner login createrole");
		run(primary, "postgres", "create role mailroom login noinherit");
		run(primary, "postgres", "create database mailroom owner mailroom_owner");
		String url = "postgresql://localhost:" + port + "/mailroom";
		Migrate.run(url, new Migrate.Owner("mailroom_owner", ""), TestDatabase.APP);
		try (ConfigurableApplicationContext context = app(url)) {
			awaitHealth(context, Status.UP, Status.UP);
			primary.close();
			awaitHealth(context, Status.DOWN, Status.UP);
			Files.createFile(directory.resolve("data/standby.signal"));
			try (EmbeddedPostgres standby = server(directory, port)) {
				awaitHealth(context, Status.DOWN, Status.DOWN);
				assertThat(output).contains("Not ready: The database is read-only");
				run(standby, "postgres", "select pg_promote()");
				awaitHealth(context, Status.UP, Status.UP);
			}
		}
	}

	private static EmbeddedPostgres server(Path directory, int port) throws IOException {
		return EmbeddedPostgres.builder()
			.setDataDirectory(directory.resolve("data"))
			.setCleanDataDirectory(false)
			.setPort(port)
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on")
			.start();
	}

	private static void run(EmbeddedPostgres server, String database, String sql) throws SQLException {
		try (Connection connection = server.getDatabase("postgres", database).getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

	private static ConfigurableApplicationContext app(String url) {
		return new SpringApplicationBuilder(WithCore.Features.class).web(WebApplicationType.NONE)
			.run("--spring.r2dbc.url=r2dbc:" + url, "--spring.r2dbc.username=" + TestDatabase.APP,
					"--spring.r2dbc.password=" + TestDatabase.PASSWORD, "--mailroom.log-format=plain",
					"--mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=");
	}

	private static void awaitHealth(ConfigurableApplicationContext context, Status database, Status serving) {
		DatabaseHealth health = context.getBean("database", DatabaseHealth.class);
		ServingHealth readiness = context.getBean("serving", ServingHealth.class);
		// A busy machine may exceed the indicator's own timeout at first.
		Await.until("the database is " + database + " and serving " + serving,
				() -> Await.await(health.health()).getStatus().equals(database)
						&& Await.await(readiness.health()).getStatus().equals(serving));
	}

	private static void assertHealth(String url, Status status, BooleanSupplier logged) {
		try (ConfigurableApplicationContext context = app(url)) {
			awaitHealth(context, status, status);
			assertThat(logged.getAsBoolean()).isTrue();
		}
	}

}
