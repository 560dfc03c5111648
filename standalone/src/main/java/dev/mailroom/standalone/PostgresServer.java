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
 * The PostgreSQL that Mailroom brings along. It answers on the loopback address alone,
 * asks everybody for a password, and has the two roles that a deployment has.
 */
final class PostgresServer implements Part {

	static final String OWNER = "mailroom_owner";

	static final String APP = "mailroom";

	static final String DATABASE = "mailroom";

	private static final String SUPERUSER = "postgres";

	/** Long enough to recover after a crash on a slow disk. */
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final long LOG_BYTES = 1_000_000;

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
		boolean complete = Files.exists(complete());
		if (!complete) {
			// A first start that never came to its end has left nothing to keep.
			FileSystemUtils.deleteRecursively(this.data.postgres());
		}
		this.server = run();
		if (!complete) {
			furnish(this.server);
		}
	}

	private Path complete() {
		return this.data.postgres().resolve("mailroom.complete");
	}

	private EmbeddedPostgres run() throws IOException {
		Path log = this.data.postgresLog();
		if (Files.exists(log) && Files.size(log) > LOG_BYTES) {
			Files.delete(log);
		}
		try {
			return EmbeddedPostgres.builder()
				.setOverrideWorkingDirectory(this.data.programs().toFile())
				.setDataDirectory(this.data.postgres())
				.setCleanDataDirectory(false)
				.setRegisterShutdownHook(false)
				.setPort(this.port)
				.setPGStartupWait(PATIENCE)
				.setConnectConfig("password", this.secrets.password("postgres-superuser"))
				.setLocaleConfig("locale", "C")
				.setLocaleConfig("locale-provider", "builtin")
				.setLocaleConfig("builtin-locale", "C.UTF-8")
				.setServerConfig("listen_addresses", "127.0.0.1")
				.setServerConfig("unix_socket_directories", "")
				.setServerConfig("fsync", "on")
				.setServerConfig("full_page_writes", "on")
				.setServerConfig("synchronous_commit", "on")
				.setServerConfig("max_connections", "100")
				.setServerConfig("jit", "off")
				.setServerConfig("log_min_messages", "warning")
				.setOutputRedirector(Redirect.appendTo(log.toFile()))
				.setErrorRedirector(Redirect.appendTo(log.toFile()))
				.start();
		}
		catch (IOException | RuntimeException ex) {
			throw new StartFailure("The embedded PostgreSQL does not start (" + ex.getMessage() + "): " + log
					+ " says more. Root can start it only on a system with user namespaces, an ordinary user everywhere;"
					+ " MAILROOM_DB_URL names another PostgreSQL.", ex);
		}
	}

	private void furnish(EmbeddedPostgres fresh) throws IOException, SQLException {
		try (Connection connection = fresh.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("create role " + OWNER + " login createrole password '" + ownerPassword() + "'");
			statement.execute("create role " + APP + " login noinherit password '" + appPassword() + "'");
			statement.execute("create database " + DATABASE + " owner " + OWNER);
			statement
				.execute("alter role " + SUPERUSER + " password '" + this.secrets.password("postgres-superuser") + "'");
			Files.writeString(this.data.postgres().resolve("pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
			statement.execute("select pg_reload_conf()");
		}
		Files.createFile(complete());
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
		// A start that was cut off may have left a server that nobody holds.
		PostgresProcess.end(this.data.postgres());
	}

}
