package dev.mailroom.system.deployment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import dev.mailroom.Await;
import dev.mailroom.TestReplica;
import dev.mailroom.database.Migrate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Point-in-time restore as docs/operations.md describes it: a base backup of the running
 * server, archived WAL, and a recovery target before an accident.
 */
class RestoreTest {

	private static final String DATABASE = "mailroom";

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	@TempDir
	Path directory;

	@Test
	void aDatabaseIsRestoredToTheMomentBeforeAnAccident() throws Exception {
		Path archive = Files.createDirectory(this.directory.resolve("archive"));
		Path backup = this.directory.resolve("backup");
		try (EmbeddedPostgres server = server("primary").setServerConfig("archive_mode", "on").start()) {
			migrate(server);
			run(server, "alter system set archive_command = 'cp %p " + archive + "/%f'");
			run(server, "select pg_reload_conf()");
			record(server, "before the backup");
			try (Connection connection = connect(server)) {
				TestReplica.backUp(connection, backup);
			}
			record(server, "after the backup");
			run(server, "select pg_create_restore_point('before-accident')");
			run(server, "delete from dead_letter");
			String last = finishedSegment(server);
			Await.until("the segment is archived", TIMEOUT, () -> number(server,
					"select count(*) from pg_stat_archiver where last_archived_wal >= '" + last + "'") == 1);
		}
		Files.createFile(backup.resolve("recovery.signal"));
		Files.writeString(backup.resolve("postgresql.auto.conf"), """
				restore_command = 'cp %s/%%f %%p'
				recovery_target_name = 'before-accident'
				recovery_target_action = promote
				""".formatted(archive));
		try (EmbeddedPostgres restored = server("backup").start()) {
			Await.until("the restore ends", TIMEOUT, () -> number(restored, "select pg_is_in_recovery()::int") == 0);
			assertThat(number(restored, "select count(*) from dead_letter")).isEqualTo(2);
			assertThat(number(restored, "select count(*) from flyway_schema_history where not success")).isZero();
			record(restored, "after the restore");
			assertThat(number(restored, "select count(*) from dead_letter")).isEqualTo(3);
		}
	}

	private EmbeddedPostgres.Builder server(String data) {
		return EmbeddedPostgres.builder()
			.setOverrideWorkingDirectory(this.directory.resolve("programs").toFile())
			.setDataDirectory(this.directory.resolve(data))
			.setCleanDataDirectory(false)
			.setPGStartupWait(TIMEOUT)
			.setServerConfig("wal_level", "replica")
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on");
	}

	private static void migrate(EmbeddedPostgres server) throws SQLException {
		try (Connection connection = server.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("create role mailroom_owner login createrole");
			statement.execute("create role mailroom login noinherit");
			statement.execute("create database " + DATABASE + " owner mailroom_owner");
		}
		Migrate.run("postgresql://127.0.0.1:" + server.getPort() + "/" + DATABASE,
				new Migrate.Owner("mailroom_owner", ""), DATABASE);
	}

	private static void record(EmbeddedPostgres server, String reason) throws SQLException {
		run(server, "insert into dead_letter (id, what, why, died_at) values (gen_random_uuid(), 'record', '" + reason
				+ "', now())");
	}

	private static void run(EmbeddedPostgres server, String sql) throws SQLException {
		try (Connection connection = connect(server); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** Ends the current segment of the WAL, whatever is written after it. */
	private static String finishedSegment(EmbeddedPostgres server) throws SQLException {
		try (Connection connection = connect(server); Statement statement = connection.createStatement()) {
			return text(statement, "select pg_walfile_name(pg_switch_wal())");
		}
	}

	private static int number(EmbeddedPostgres server, String sql) throws SQLException {
		try (Connection connection = connect(server); Statement statement = connection.createStatement()) {
			return Integer.parseInt(text(statement, sql));
		}
	}

	private static String text(Statement statement, String sql) throws SQLException {
		try (ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getString(1);
		}
	}

	private static Connection connect(EmbeddedPostgres server) throws SQLException {
		return server.getDatabase("postgres", DATABASE).getConnection();
	}

}
