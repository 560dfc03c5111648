package dev.mailroom.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.mailroom.TestReplica;
import dev.mailroom.database.Migrate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.util.FileSystemUtils;

/** PostgreSQL server with durable commits for benchmarks and fault tests. */
public final class Database implements PostgresServers {

	/** Role that owns the tables. */
	public static final String OWNER = "mailroom_owner";

	/** Role of the apps. */
	public static final String APP = "mailroom";

	/** Database with the schema and no rows, to which nothing is connected. */
	private static final String TEMPLATE = "furnished";

	/** Allows for a standby that repeats WAL first, on a busy machine. */
	private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

	private final Path programs;

	private final Path data;

	private final Map<String, String> settings;

	private EmbeddedPostgres server;

	/** Whether the template exists. */
	private boolean migrated;

	public Database(Path directory) throws IOException, SQLException {
		this(directory, Map.of());
	}

	/** Starts a server with additional settings. */
	public Database(Path directory, Map<String, String> settings) throws IOException, SQLException {
		this(directory.resolve("programs"), directory.resolve("postgres"), settings, 0);
		createRoles(this);
		run("postgres", "create table one_row (id uuid primary key, account_id uuid not null, email text not null, "
				+ "subject text not null, status text not null, created_at timestamptz not null default now())");
	}

	/** Creates the roles of the owner and of the apps. */
	public static void createRoles(PostgresServers servers) throws SQLException {
		servers.run("postgres", "create role " + OWNER + " login createrole");
		servers.run("postgres", "create role " + APP + " login noinherit");
	}

	private Database(Path programs, Path data, Map<String, String> settings, int port) throws IOException {
		this.programs = programs;
		this.data = data;
		this.settings = settings;
		this.server = start(port);
	}

	/**
	 * Starts a standby, whose data begins as a copy of those of this server.
	 * @param name its directory, beside that of this server
	 * @param port its port, or 0 for any
	 */
	public Database standby(String name, int port) throws IOException, SQLException {
		Path copy = this.data.resolveSibling(name);
		FileSystemUtils.deleteRecursively(copy);
		try (Connection connection = connect("postgres")) {
			TestReplica.backUp(connection, copy);
		}
		Files.createFile(copy.resolve("standby.signal"));
		Files.writeString(copy.resolve("postgresql.auto.conf"), "primary_conninfo = '" + replication() + "'\n",
				StandardOpenOption.APPEND);
		return new Database(this.programs, copy, this.settings, port);
	}

	private String replication() {
		return "host=127.0.0.1 port=" + port() + " user=postgres";
	}

	/** Has this standby follow another server. */
	public void follow(Database primary) throws SQLException {
		run("postgres", "alter system set primary_conninfo = '" + primary.replication() + "'");
		run("postgres", "select pg_reload_conf()");
	}

	private EmbeddedPostgres start(int port) throws IOException {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setOverrideWorkingDirectory(this.programs.toFile())
			.setDataDirectory(this.data)
			.setCleanDataDirectory(false)
			.setPGStartupWait(START_TIMEOUT)
			.setServerConfig("listen_addresses", "127.0.0.1")
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("max_connections", "200");
		this.settings.forEach(builder::setServerConfig);
		return ((port == 0) ? builder : builder.setPort(port)).start();
	}

	/** Kills all processes of the server at once, as in a power failure. */
	public void kill() throws IOException {
		List<ProcessHandle> all = processes();
		all.forEach(ProcessHandle::destroyForcibly);
		all.forEach((process) -> process.onExit().join());
	}

	/** Halts all processes of the server; its connections stay open. */
	public void freeze() throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of("kill", "-STOP"));
		processes().forEach((process) -> command.add(Long.toString(process.pid())));
		if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
			throw new IllegalStateException("The server was not halted");
		}
	}

	private List<ProcessHandle> processes() throws IOException {
		ProcessHandle server = serverProcess();
		return Stream.concat(Stream.of(server), server.descendants()).toList();
	}

	/** Starts the server again with its data and returns when it accepts connections. */
	public void restart() throws IOException {
		int port = port();
		this.server.close();
		this.server = start(port);
	}

	/**
	 * Creates a database with the schema and returns its URL. The migrations run once,
	 * and their result is copied.
	 */
	public synchronized String furnish(String name) throws SQLException {
		if (!this.migrated) {
			run("postgres", "create database " + TEMPLATE + " owner " + OWNER);
			Migrate.run(url(TEMPLATE), new Migrate.Owner(OWNER, ""), APP);
			this.migrated = true;
		}
		run("postgres", "create database " + name + " template " + TEMPLATE + " owner " + OWNER);
		return url(name);
	}

	@Override
	public Connection connect(String database) throws SQLException {
		return this.server.getDatabase("postgres", database).getConnection();
	}

	@Override
	public String url(String name) {
		return "postgresql://127.0.0.1:" + port() + "/" + name;
	}

	public int port() {
		return this.server.getPort();
	}

	/** CPU time of the server in microseconds. */
	public long cpu() throws IOException {
		return Cpu.of(serverProcess());
	}

	private ProcessHandle serverProcess() throws IOException {
		try (Stream<String> lines = Files.lines(this.data.resolve("postmaster.pid"))) {
			return ProcessHandle.of(Long.parseLong(lines.findFirst().orElseThrow())).orElseThrow();
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
