package dev.mailroom.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;

import dev.mailroom.schema.Migrate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** One durable PostgreSQL for all that is measured. */
public final class Database implements AutoCloseable {

	private static final String OWNER = "mailroom_owner";

	public static final String APP = "mailroom";

	private final Path data;

	private final EmbeddedPostgres server;

	public Database(Path directory) throws IOException, SQLException {
		this.data = directory.resolve("postgres");
		this.server = EmbeddedPostgres.builder()
			.setOverrideWorkingDirectory(directory.resolve("programs").toFile())
			.setDataDirectory(this.data)
			.setServerConfig("listen_addresses", "127.0.0.1")
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("max_connections", "200")
			.setServerConfig("jit", "off")
			.start();
		run("postgres", "create role " + OWNER + " login createrole");
		run("postgres", "create role " + APP + " login noinherit");
		run("postgres", "create table one_row (id uuid primary key, account_id uuid not null, email text not null, "
				+ "subject text not null, status text not null, created_at timestamptz not null default now())");
	}

	/** Makes a database with Mailroom's schema and returns its address. */
	public String furnish(String name) throws SQLException {
		run("postgres", "create database " + name + " owner " + OWNER);
		Migrate.run(url(name), new Migrate.Owner(OWNER, ""), APP);
		return url(name);
	}

	public void run(String database, String sql) throws SQLException {
		try (Connection connection = connect(database); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** A connection as the superuser. */
	public Connection connect(String database) throws SQLException {
		return this.server.getDatabase("postgres", database).getConnection();
	}

	private String url(String name) {
		return "postgresql://127.0.0.1:" + port() + "/" + name;
	}

	public int port() {
		return this.server.getPort();
	}

	/** Microseconds of CPU that the server has taken so far. */
	public long cpu() throws IOException {
		try (Stream<String> lines = Files.lines(this.data.resolve("postmaster.pid"))) {
			return Cpu.of(ProcessHandle.of(Long.parseLong(lines.findFirst().orElseThrow())).orElseThrow());
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
