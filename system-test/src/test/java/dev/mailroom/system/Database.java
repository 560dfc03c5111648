package dev.mailroom.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.schema.Migrate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** One durable PostgreSQL for all that is measured. */
public final class Database implements AutoCloseable {

	private static final String OWNER = "mailroom_owner";

	public static final String APP = "mailroom";

	private final Path programs;

	private final Path data;

	private EmbeddedPostgres server;

	public Database(Path directory) throws IOException, SQLException {
		this.programs = directory.resolve("programs");
		this.data = directory.resolve("postgres");
		this.server = start(0);
		run("postgres", "create role " + OWNER + " login createrole");
		run("postgres", "create role " + APP + " login noinherit");
		run("postgres", "create table one_row (id uuid primary key, account_id uuid not null, email text not null, "
				+ "subject text not null, status text not null, created_at timestamptz not null default now())");
	}

	private EmbeddedPostgres start(int port) throws IOException {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setOverrideWorkingDirectory(this.programs.toFile())
			.setDataDirectory(this.data)
			.setCleanDataDirectory(false)
			.setServerConfig("listen_addresses", "127.0.0.1")
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("max_connections", "200")
			.setServerConfig("jit", "off");
		return ((port == 0) ? builder : builder.setPort(port)).start();
	}

	/** Ends it as a power cut does: every process of it at once. */
	public void kill() throws IOException {
		ProcessHandle postmaster = postmaster();
		List<ProcessHandle> all = Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
		all.forEach(ProcessHandle::destroyForcibly);
		all.forEach((process) -> process.onExit().join());
	}

	/** Starts it again over what the disk holds, and returns once it answers. */
	public void restart() throws IOException {
		int port = port();
		this.server.close();
		this.server = start(port);
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
		return Cpu.of(postmaster());
	}

	private ProcessHandle postmaster() throws IOException {
		try (Stream<String> lines = Files.lines(this.data.resolve("postmaster.pid"))) {
			return ProcessHandle.of(Long.parseLong(lines.findFirst().orElseThrow())).orElseThrow();
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
