package dev.mailroom;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import dev.mailroom.database.Migrate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * PostgreSQL with its default settings and a database with the schema. The build copies
 * the oldest release beside the compiled classes.
 */
public final class DefaultServer implements AutoCloseable {

	/** The oldest release that is supported. */
	public static final int OLDEST = 15;

	private static final String DATABASE = "mailroom";

	private final EmbeddedPostgres server;

	/** Starts a server of a release: the oldest or the newest that is supported. */
	public DefaultServer(int release) throws IOException, SQLException {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setServerConfig("shared_preload_libraries", "pg_stat_statements")
			// The builder turns off what servers have on by default.
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on");
		if (release == OLDEST) {
			builder.setPgBinaryResolver((system, machine) -> binaries("postgres-" + system + "-" + machine));
		}
		this.server = builder.start();
		run("postgres", "create role mailroom_owner login createrole password 'secret'");
		run("postgres", "create role mailroom login noinherit password 'secret'");
		run("postgres", "create database mailroom owner mailroom_owner");
		Migrate.run(url(), new Migrate.Owner("mailroom_owner", "secret"), "mailroom");
		run("create extension pg_stat_statements");
		String version = version();
		if (!version.startsWith(release + ".")) {
			throw new IllegalStateException("Release " + version + " was started");
		}
	}

	/** The archive of the oldest release, which is not on the class path. */
	private static InputStream binaries(String name) throws IOException {
		URL classes = DefaultServer.class.getProtectionDomain().getCodeSource().getLocation();
		try (Stream<Path> jars = Files
			.list(Path.of(URI.create(classes.toString())).resolveSibling("postgres-" + OLDEST))) {
			ZipInputStream jar = new ZipInputStream(Files.newInputStream(jars.findFirst().orElseThrow()));
			for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
				if (entry.getName().endsWith(".txz")) {
					return jar;
				}
			}
			throw new IOException("No archive for " + name);
		}
	}

	private String version() throws SQLException {
		try (Connection connection = connect();
				Statement statement = connection.createStatement();
				ResultSet version = statement.executeQuery("show server_version")) {
			version.next();
			return version.getString(1);
		}
	}

	private String url() {
		return "postgresql://localhost:" + this.server.getPort() + "/" + DATABASE;
	}

	/** Starts the features of the core, without an app. */
	public ConfigurableApplicationContext core() {
		// Arguments, because the class path of the benchmark has the settings of the
		// apps.
		return new SpringApplicationBuilder(WithCore.Features.class).web(WebApplicationType.NONE)
			.run("--spring.r2dbc.url=r2dbc:" + url(), "--spring.r2dbc.username=mailroom",
					"--spring.r2dbc.password=secret",
					"--mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=",
					"--spring.autoconfigure.exclude=org.springframework.boot.graphql.autoconfigure.GraphQlAutoConfiguration");
	}

	/** Runs a statement as superuser. */
	public void run(String sql) throws SQLException {
		run(DATABASE, sql);
	}

	private void run(String database, String sql) throws SQLException {
		try (Connection connection = this.server.getDatabase("postgres", database).getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** A connection of the superuser. */
	public Connection connect() throws SQLException {
		return this.server.getDatabase("postgres", DATABASE).getConnection();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
