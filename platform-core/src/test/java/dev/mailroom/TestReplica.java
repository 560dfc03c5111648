package dev.mailroom;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Stream;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;

/**
 * Standby of the {@link TestDatabase} that serves the lists of all apps under test, with
 * {@code -Dtest.replica=following}, or falls behind, with {@code paused}.
 */
public final class TestReplica {

	/** Files that a copy of the data leaves out. */
	private static final Set<String> LEFT_OUT = Set.of("postmaster.pid", "postmaster.opts", "epg-lock",
			"standby.signal");

	private static @Nullable EmbeddedPostgres server;

	private TestReplica() {
	}

	/** The address of the standby, which is started once. */
	static synchronized String url(String state) {
		try {
			if (server == null) {
				server = start();
				if (state.equals("paused")) {
					try (Connection connection = server.getPostgresDatabase().getConnection();
							Statement statement = connection.createStatement()) {
						statement.execute("select pg_wal_replay_pause()");
					}
				}
			}
			return "postgresql://localhost:" + server.getPort() + "/mailroom";
		}
		catch (IOException | SQLException ex) {
			throw new IllegalStateException("The standby did not start", ex);
		}
	}

	private static EmbeddedPostgres start() throws IOException, SQLException {
		Path copy = Files.createTempDirectory("replica");
		try (Connection primary = TestDatabase.connect("postgres"); Statement statement = primary.createStatement()) {
			backUp(primary, copy);
			Files.createFile(copy.resolve("standby.signal"));
			Files.writeString(copy.resolve("postgresql.auto.conf"),
					"primary_conninfo = 'host=localhost port=" + text(statement, "show port") + " user=postgres'\n",
					StandardOpenOption.APPEND);
		}
		return EmbeddedPostgres.builder()
			.setDataDirectory(copy)
			.setCleanDataDirectory(false)
			.setServerConfig("max_connections", "200")
			.setServerConfig("hot_standby_feedback", "on")
			.start();
	}

	/**
	 * Copies the data of a running server between pg_backup_start and pg_backup_stop,
	 * because pg_basebackup is not among the embedded binaries.
	 */
	public static void backUp(Connection server, Path target) throws IOException, SQLException {
		try (Statement statement = server.createStatement()) {
			Path data = Path.of(text(statement, "show data_directory"));
			statement.execute("select pg_backup_start('test', true)");
			try (Stream<Path> files = Files.walk(data)) {
				files.filter((file) -> !LEFT_OUT.contains(file.getFileName().toString()))
					.forEach((file) -> copy(file, target.resolve(data.relativize(file).toString())));
			}
			Files.writeString(target.resolve("backup_label"),
					text(statement, "select labelfile from pg_backup_stop()"));
		}
	}

	private static void copy(Path file, Path target) {
		try {
			if (!Files.isDirectory(target)) {
				Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
			}
		}
		catch (NoSuchFileException _) {
			// Removed by the running server; the WAL repeats what is needed.
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Statement statement, String sql) throws SQLException {
		try (ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getString(1);
		}
	}

}
