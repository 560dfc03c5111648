package dev.mailroom.system.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.Await;
import dev.mailroom.process.Database;
import dev.mailroom.process.PostgresServers;

/**
 * A PostgreSQL primary and two standbys, of which one must have stored each commit. It
 * does what an administrator or an operator of Kubernetes does: it promotes the standby
 * that has received most, and has the other one follow it.
 */
final class ReplicatedDatabase implements PostgresServers {

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private static final int STANDBYS = 2;

	/** WAL for a standby that connects a moment after the copy of its data. */
	private static final Map<String, String> SETTINGS = Map.of("wal_keep_size", "256MB");

	private final List<Database> standbys = new ArrayList<>();

	private Database primary;

	private int copies;

	/** Starts the servers with a database that has the schema. */
	ReplicatedDatabase(Path directory, String name) throws Exception {
		this.primary = new Database(directory, SETTINGS);
		try {
			this.primary.furnish(name);
			for (int i = 0; i < STANDBYS; i++) {
				this.standbys.add(standby(0));
			}
			requireStandby(this.primary);
		}
		catch (Exception ex) {
			close();
			throw ex;
		}
	}

	private Database standby(int port) throws IOException, SQLException {
		Database standby = this.primary.standby("copy-" + ++this.copies, port);
		requireStandby(standby);
		return standby;
	}

	/** A standby does so from the first commit after its promotion. */
	private static void requireStandby(Database server) throws SQLException {
		server.run("postgres", "alter system set synchronous_standby_names = 'ANY 1 (*)'");
		server.run("postgres", "select pg_reload_conf()");
	}

	/** URL of a database with all servers. */
	@Override
	public String url(String name) {
		List<Database> all = new ArrayList<>(this.standbys);
		all.addFirst(this.primary);
		return all.stream()
			.map((server) -> "127.0.0.1:" + server.port())
			.collect(Collectors.joining(",", "postgresql://", "/" + name));
	}

	Database primary() {
		return this.primary;
	}

	@Override
	public Connection connect(String database) throws SQLException {
		return this.primary.connect(database);
	}

	/** Makes a standby the primary, after the end of the one before. */
	void promote() throws Exception {
		Database ended = this.primary;
		this.primary = this.standbys.stream().max(Comparator.comparingLong(ReplicatedDatabase::received)).orElseThrow();
		this.standbys.remove(this.primary);
		this.primary.run("postgres", "select pg_promote()");
		for (Database standby : this.standbys) {
			standby.follow(this.primary);
		}
		this.standbys.add(ended);
	}

	/** Replaces a server that has ended, or is halted, by a standby on its port. */
	void replace(Database server) throws Exception {
		int port = server.port();
		server.close();
		this.standbys.set(this.standbys.indexOf(server), standby(port));
		awaitStandbys(STANDBYS);
	}

	/** Stops the primary as an administrator does, once the standbys have its WAL. */
	Database switchOver() throws Exception {
		Database stopped = this.primary;
		stopped.close();
		promote();
		return stopped;
	}

	/** Waits until both standbys follow the primary. */
	void awaitStandbys() {
		awaitStandbys(STANDBYS);
	}

	List<Database> standbys() {
		return List.copyOf(this.standbys);
	}

	private void awaitStandbys(int number) {
		Await.until(number + " standbys follow", TIMEOUT,
				() -> this.primary.rows("postgres", "select pid from pg_stat_replication where state = 'streaming'")
					.size() == number);
	}

	private static long received(Database standby) {
		try {
			return Long
				.parseLong(standby.rows("postgres", "select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::bigint")
					.getFirst()
					.getFirst());
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.primary.close();
		for (Database standby : this.standbys) {
			standby.close();
		}
	}

}
