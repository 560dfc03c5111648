package dev.mailroom.system.faults;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import dev.mailroom.Await;
import dev.mailroom.api.PlatformApi;
import dev.mailroom.process.ClassArchive;
import dev.mailroom.process.Database;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists of an API on a standby that follows, that is paused and that is killed. The API
 * may use the primary as a replica too, as after a failover, and uses it for none.
 */
class ReplicaTest {

	private static final String NAME = "replica";

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	/** Lists that fit into some seconds, in which a replica is used at the latest. */
	private static final int LISTS = 20;

	@TempDir
	private static Path directory;

	private static Database primary;

	private static Database standby;

	private static Program api;

	private static Web web;

	@BeforeAll
	static void start() throws Exception {
		primary = new Database(directory, Map.of("wal_keep_size", "256MB"));
		primary.furnish(NAME);
		standby = primary.standby("copy", 0);
		List<String> jvm = new ArrayList<>(ClassArchive.options());
		jvm.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx400m"));
		api = new Program(PlatformApi.class, directory.resolve("api.log"), jvm,
				Map.of("MAILROOM_DB_URL", primary.url(NAME), "MAILROOM_DB_REPLICA_URL",
						"postgresql://127.0.0.1:" + primary.port() + ",127.0.0.1:" + standby.port() + "/" + NAME,
						"MAILROOM_DB_USER", Database.APP, "MAILROOM_MASTER_KEY",
						Base64.getEncoder().encodeToString(new byte[32]), "MAILROOM_DNS_SERVERS", "127.0.0.1:1",
						"MAILROOM_OPERATOR_EMAIL", Tenant.EMAIL, "MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD,
						"MAILROOM_RATE_LIMIT_ENABLED", "false"));
		Tenant.in(api, primary, NAME, "sender.test");
		web = new Web(api.apiPort());
		web.use(web
			.post("/api/auth/login", "{\"email\":\"" + Tenant.EMAIL + "\",\"password\":\"" + Tenant.PASSWORD + "\"}")
			.json(200)
			.at("/data/access_token")
			.stringValue());
	}

	@AfterAll
	static void stop() throws Exception {
		if (web != null) {
			web.close();
		}
		if (api != null) {
			api.kill();
		}
		if (standby != null) {
			standby.close();
		}
		primary.close();
	}

	@BeforeEach
	void awaitReplica() {
		Await.until("the replica serves lists", TIMEOUT, () -> {
			double before = served("replica");
			books();
			return served("replica") > before;
		});
	}

	@Test
	void aReplicaServesListsWithWhatWasWrittenJustBefore() throws Exception {
		double before = served("replica");
		for (int i = 0; i < LISTS; i++) {
			String name = create();
			assertThat(books().toString()).contains(name);
		}
		assertThat(served("replica")).isGreaterThan(before);
		// A session reports its reads after a while.
		Await.until("the standby has read", TIMEOUT, () -> readsOfTheStandby() > 0);
	}

	@Test
	void noListIsOlderThanItsRequestWhileTheReplicaIsPausedAndThePausedOneIsLeftOut() throws Exception {
		standby.run("postgres", "select pg_wal_replay_pause()");
		try {
			for (int i = 0; i < LISTS; i++) {
				String name = create();
				assertThat(books().toString()).contains(name);
			}
			primary.run(NAME, "update contact_book set name = 'Renamed by another process'");
			assertThat(books().toString()).contains("Renamed by another process");
			Await.until("the lag is measured", TIMEOUT, () -> api.metric("mailroom_replica_lag_seconds") > 2);
			double before = served("replica");
			for (int i = 0; i < LISTS; i++) {
				books();
			}
			assertThat(served("replica")).isEqualTo(before);
		}
		finally {
			standby.run("postgres", "select pg_wal_replay_resume()");
		}
		awaitReplica();
		Await.until("it is not behind", TIMEOUT, () -> api.metric("mailroom_replica_lag_seconds") < 1);
	}

	@Test
	void aReplicaThatIsKilledFailsNoListAndServesAgainAfterItsRestart() throws Exception {
		standby.kill();
		for (int i = 0; i < LISTS; i++) {
			String name = create();
			assertThat(books().toString()).contains(name);
		}
		standby.restart();
		awaitReplica();
	}

	@Test
	void noListFailsWhenTheStandbyEndsItsConnections() throws Exception {
		standby.run("postgres",
				"select pg_terminate_backend(pid) from pg_stat_activity where usename = '" + Database.APP + "'");
		for (int i = 0; i < LISTS; i++) {
			assertThat(books().size()).isPositive();
		}
	}

	private static String create() throws Exception {
		String name = "Book " + System.nanoTime();
		web.post("/api/contact-books", "{\"name\":\"" + name + "\"}").json(201);
		return name;
	}

	private static JsonNode books() throws Exception {
		return web.get("/api/contact-books?limit=100").json(200).at("/data");
	}

	private static double served(String server) throws Exception {
		return api.metric("mailroom_replica_reads_total{application=\"platform-api\",server=\"" + server + "\"}");
	}

	/** Sequential and index scans of the table on the standby, which counts its own. */
	private static long readsOfTheStandby() throws SQLException {
		return Long.parseLong(
				standby
					.rows(NAME,
							"select seq_scan + coalesce(idx_scan, 0) from pg_stat_user_tables"
									+ " where relname = 'contact_book'")
					.getFirst()
					.getFirst());
	}

}
