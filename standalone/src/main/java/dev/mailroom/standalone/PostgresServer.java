package dev.mailroom.standalone;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;

import org.springframework.util.FileSystemUtils;

/**
 * The embedded PostgreSQL server. It listens on the loopback address only, requires
 * password authentication (SCRAM-SHA-256) and has the same two roles as a deployment: the
 * owner of the schema and the role of the apps.
 */
final class PostgresServer implements Part {

	static final String OWNER = "mailroom_owner";

	static final String APP = "mailroom";

	static final String DATABASE = "mailroom";

	/** Allows for crash recovery on a slow disk. */
	private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

	private static final long MAX_LOG_BYTES = 1_000_000;

	private final DataDirectory data;

	private final Secrets secrets;

	private final int port;

	private @Nullable EmbeddedPostgres server;

	PostgresServer(DataDirectory data, Secrets secrets, int port) {
		this.data = data;
		this.secrets = secrets;
		this.port = port;
	}

	String url() {
		return "postgresql://127.0.0.1:" + this.port + "/" + DATABASE;
	}

	@Override
	public void start() throws Exception {
		boolean complete = Files.exists(completeFile());
		if (!complete) {
			// An unfinished first start has left no data worth keeping.
			FileSystemUtils.deleteRecursively(this.data.postgres());
		}
		this.server = run();
		this.data.protect();
		if (!complete) {
			createRoles(this.server);
		}
	}

	private Path completeFile() {
		return this.data.postgres().resolve("mailroom.complete");
	}

	private EmbeddedPostgres run() throws IOException {
		Path log = this.data.postgresLog();
		if (Files.exists(log) && Files.size(log) > MAX_LOG_BYTES) {
			Files.delete(log);
		}
		try {
			return EmbeddedPostgres.builder()
				.setOverrideWorkingDirectory(this.data.programs().toFile())
				.setDataDirectory(this.data.postgres())
				.setCleanDataDirectory(false)
				.setRegisterShutdownHook(false)
				.setPort(this.port)
				.setPGStartupWait(START_TIMEOUT)
				.setConnectConfig("password", this.secrets.password("postgres-superuser"))
				// Passed to initdb like the locale: the server requires passwords from
				// its first start.
				.setLocaleConfig("auth-host", "scram-sha-256")
				.setLocaleConfig("pwfile", this.secrets.passwordFile("postgres-superuser").toString())
				.setLocaleConfig("locale", "C")
				.setLocaleConfig("locale-provider", "builtin")
				.setLocaleConfig("builtin-locale", "C.UTF-8")
				.setServerConfig("listen_addresses", "127.0.0.1")
				.setServerConfig("unix_socket_directories", "")
				.setServerConfig("fsync", "on")
				.setServerConfig("full_page_writes", "on")
				.setServerConfig("synchronous_commit", "on")
				.setServerConfig("max_connections", "100")
				.setServerConfig("log_min_messages", "warning")
				.setOutputRedirector(Redirect.appendTo(log.toFile()))
				.setErrorRedirector(Redirect.appendTo(log.toFile()))
				.start();
		}
		catch (IOException | RuntimeException ex) {
			throw new StartFailure("The embedded PostgreSQL does not start (" + ex.getMessage() + "): see " + log
					+ ". Root can start it only on a system with user namespaces; run Mailroom as an ordinary user,"
					+ " or set MAILROOM_DB_URL to another PostgreSQL.", ex);
		}
	}

	private void createRoles(EmbeddedPostgres postgres) throws IOException, SQLException {
		try (Connection connection = postgres.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("create role " + OWNER + " login createrole password '" + ownerPassword() + "'");
			statement.execute("create role " + APP + " login noinherit password '" + appPassword() + "'");
			statement.execute("create database " + DATABASE + " owner " + OWNER);
			Files.writeString(this.data.postgres().resolve("pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
			statement.execute("select pg_reload_conf()");
		}
		Files.createFile(completeFile());
	}

	String ownerPassword() throws IOException {
		return this.secrets.password("postgres-owner");
	}

	String appPassword() throws IOException {
		return this.secrets.password("postgres-app");
	}

	@Override
	public void close() throws Exception {
		if (this.server != null) {
			this.server.close();
		}
		// An interrupted start may have left a server without a handle.
		PostgresProcess.end(this.data.postgres());
	}

}
