package dev.mailroom.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.mailroom.Await;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Order(4)
class StartAndStopTest {

	/** Exit code after SIGTERM. */
	private static final int SIGTERM_EXIT_CODE = 143;

	@TempDir
	private Path temporary;

	@Test
	void dataSurvivesStopsAndAKill() throws Exception {
		Path data = this.temporary.resolve("data");
		Mailroom starting = Mailroom.begin(data, Map.of());
		Await.until("PostgreSQL starts", Mailroom.TIMEOUT, () -> Files.exists(data.resolve("postgres/postmaster.pid")));
		stopsCleanly(starting);
		assertThat(starting.prints("ready")).as("stopped during the start").isFalse();
		Mailroom first = Mailroom.start(data);
		execute(first, data, "create table marker (word text)");
		execute(first, data, "insert into marker values ('a kill')");
		first.kill();
		assertThat(first.hasChildren()).isTrue();
		Mailroom second = Mailroom.start(data);
		assertThat(marker(second, data)).isEqualTo("a kill");
		assertThat(second.output()).doesNotContain("ERROR", "Exception")
			.as("the password is shown once")
			.doesNotContain(secret(data, "operator-password"));
		execute(second, data, "update marker set word = 'a stop'");
		refusesAnotherProcess(second, data);
		sharesItsServers(second, data);
		String key = probeKey(second, secret(data, "operator-password"));
		stopsCleanly(second);
		Mailroom third = probed(data, key).ready();
		assertThat(marker(third, data)).isEqualTo("a stop");
		deliversTheMailOfTheProbe(third);
		stopsCleanly(third);
	}

	/** An API key for the sandbox, of a domain of the operator. */
	private static String probeKey(Mailroom running, String password) throws Exception {
		try (Web api = new Web(running.port("API"))) {
			api.use(api.post("/api/auth/login", """
					{"email": "%s", "password": "%s"}""".formatted(running.word("Operator"), password))
				.json(200)
				.at("/data/access_token")
				.asString());
			String domain = api.post("/api/domains", "{\"name\": \"probe.test\"}")
				.json(201)
				.at("/data/domain/id")
				.asString();
			api.post("/api/domains/" + domain + "/verify", "").json(200);
			return api
				.post("/api/api-keys",
						"""
								{"domainId": "%s", "keyName": "probe", "permissions": ["emails.sandbox", "emails.read"]}"""
							.formatted(domain))
				.json(201)
				.at("/data/apiKey/key")
				.asString();
		}
	}

	/** Starts a process with a probe that sends every 200 ms. */
	private static Mailroom probed(Path data, String key) throws IOException {
		String port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = Integer.toString(free.getLocalPort());
		}
		return Mailroom.begin(data, List.of("-Dmailroom.probe.interval=200ms"),
				Map.of("MAILROOM_API_PORT", port, "MAILROOM_PROBE_URL", "http://localhost:" + port,
						"MAILROOM_PROBE_KEY", key, "MAILROOM_PROBE_FROM", "probe@probe.test"));
	}

	private static void deliversTheMailOfTheProbe(Mailroom running) throws Exception {
		try (Web management = new Web(running.port("Management"))) {
			Pattern delivered = Pattern.compile("mailroom_probe_total\\{[^}]*result=\"delivered\"} [1-9]");
			Await.until("a mail of the probe is delivered", Mailroom.TIMEOUT,
					() -> delivered.matcher(management.get("/actuator/prometheus").body()).find());
		}
	}

	/** A data directory has one process at a time. */
	private static void refusesAnotherProcess(Mailroom running, Path data) throws Exception {
		Mailroom refused = Mailroom.begin(data, Map.of());
		assertThat(refused.exitCode()).isEqualTo(1);
		assertThat(refused.output()).isEqualTo("The data directory " + data + " is in use by another Mailroom (process "
				+ running.process().pid() + "): stop that one, or set MAILROOM_DATA_DIR to another directory.");
		assertThat(marker(running, data, "select 'still there'")).isEqualTo("still there");
	}

	/** A process with its own data directory may use the servers of another one. */
	private void sharesItsServers(Mailroom external, Path data) throws Exception {
		String database = "postgresql://127.0.0.1:" + external.port("PostgreSQL") + "/mailroom";
		String broker = "127.0.0.1:" + external.port("Kafka");
		Path own = this.temporary.resolve("own");
		Mailroom inside = Mailroom.begin(own,
				Map.of("MAILROOM_DB_URL", database, "MAILROOM_DB_PASSWORD", secret(data, "postgres-app"),
						"MAILROOM_DB_OWNER_USER", "mailroom_owner", "MAILROOM_DB_OWNER_PASSWORD",
						secret(data, "postgres-owner"), "MAILROOM_KAFKA_BOOTSTRAP", broker, "MAILROOM_RELAY_HOST",
						"localhost", "MAILROOM_RELAY_PORT", Integer.toString(external.port("SMTP")),
						"MAILROOM_MASTER_KEY", secret(data, "master-key")))
			.ready();
		assertThat(inside.output())
			.contains("PostgreSQL   " + database, "Kafka        " + broker, "Relay        localhost")
			.doesNotContain("Mailbox");
		assertThat(own.resolve("postgres")).doesNotExist();
		assertThat(own.resolve("kafka")).doesNotExist();
		stopsCleanly(inside);
	}

	@Test
	void aPortInUseIsReported() throws Exception {
		try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Mailroom refused = Mailroom.begin(this.temporary.resolve("data"),
					Map.of("MAILROOM_API_PORT", Integer.toString(taken.getLocalPort())));
			assertThat(refused.exitCode()).isEqualTo(1);
			assertThat(refused.output()).isEqualTo("Port " + taken.getLocalPort()
					+ " is in use: set MAILROOM_API_PORT to another (0 = any), or stop what uses it.");
			assertThat(refused.hasChildren()).isFalse();
		}
	}

	@Test
	void aDataDirectoryOfAnotherVersionIsNotChanged() throws Exception {
		Files.writeString(this.temporary.resolve("version"), "layout 1\npostgresql 19\n");
		Mailroom refused = Mailroom.begin(this.temporary, Map.of());
		assertThat(refused.exitCode()).isEqualTo(1);
		assertThat(refused.output()).startsWith("The data directory " + this.temporary + " is of another version")
			.hasLineCount(1);
		assertThat(this.temporary.resolve("postgres")).doesNotExist();
	}

	private static void stopsCleanly(Mailroom running) throws InterruptedException {
		long begin = System.nanoTime();
		assertThat(running.stop()).as(running.output()).isEqualTo(SIGTERM_EXIT_CODE);
		System.out.println("Stopped after " + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
		assertThat(running.hasChildren()).isFalse();
		assertThat(running.output()).doesNotContain("ERROR", "Exception");
	}

	private static void execute(Mailroom running, Path data, String sql) throws Exception {
		try (Connection connection = connect(running, data); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static String marker(Mailroom running, Path data) throws Exception {
		return marker(running, data, "select word from marker");
	}

	private static String marker(Mailroom running, Path data, String sql) throws Exception {
		try (Connection connection = connect(running, data);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(sql)) {
			rows.next();
			return rows.getString(1);
		}
	}

	private static String secret(Path data, String name) throws IOException {
		return Files.readString(data.resolve("secrets").resolve(name));
	}

	private static Connection connect(Mailroom running, Path data) throws Exception {
		return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + running.port("PostgreSQL") + "/mailroom",
				"mailroom_owner", secret(data, "postgres-owner"));
	}

}
