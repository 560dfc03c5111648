package dev.mailroom.system;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.mailroom.Await;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Separation of the ports of the three apps in one process. */
@ExtendWith(SharedMailroom.class)
class PortsTest {

	/** Longer than the interval in which traces are exported. */
	private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(20);

	private static Collector collector;

	private static Mailroom mailroom;

	@BeforeAll
	static void start(SharedMailroom.Running shared) {
		collector = shared.collector();
		mailroom = shared.mailroom();
	}

	@Test
	void aTraceContainsTheRequestIdButNotThePath() throws Exception {
		try (Web api = new Web(mailroom.port("API"))) {
			assertThat(
					api.get("/api/emails/no-such-mail",
							Map.of("X-Request-Id", "traced-17", "traceparent",
									"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
						.status())
				.isEqualTo(401);
		}
		Await.until("the trace is exported", EXPORT_TIMEOUT, () -> collector.contains("traced-17"));
		assertThat(collector.contains("platform-api")).isTrue();
		assertThat(collector.contains("no-such-mail")).isFalse();
	}

	@Test
	void managementOfAllAppsIsServedOnlyOnItsPort() throws Exception {
		try (Web management = new Web(mailroom.port("Management"))) {
			assertThat(management.get("/actuator/health").json(200).get("status").asString()).isEqualTo("UP");
			assertThat(management.get("/actuator/prometheus").body()).contains("application=\"platform-api\"",
					"application=\"tenant-admin\"", "application=\"delivery-worker\"");
			assertThat(management.get("/actuator").json(200).get("_links").propertyNames()).containsExactlyInAnyOrder(
					"self", "health", "health-path", "info", "loggers", "loggers-name", "prometheus");
			assertThat(management.get("/actuator/env").status()).isEqualTo(404);
		}
		for (String port : List.of("API", "Admin", "Mailbox")) {
			try (Web other = new Web(mailroom.port(port))) {
				assertThat(other.get("/actuator/health").status()).as(port).isIn(401, 404);
				assertThat(other.get("/actuator/prometheus").status()).as(port).isIn(401, 404);
			}
		}
	}

	@Test
	void managementIsNotServedUnderANameThatWasMadeToResolveToThisMachine() throws Exception {
		for (String path : List.of("/actuator/prometheus", "/%61ctuator/prometheus")) {
			try (Socket socket = new Socket("localhost", mailroom.port("Management"))) {
				socket.setSoTimeout(30_000);
				socket.getOutputStream()
					.write("GET %s HTTP/1.1\r\nHost: rebound.test\r\nConnection: close\r\n\r\n".formatted(path)
						.getBytes(StandardCharsets.US_ASCII));
				assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
					.startsWith("HTTP/1.1 421")
					.doesNotContain("mailroom_");
			}
		}
	}

	@Test
	void theDatabaseRequiresAPasswordOfEveryRole() {
		String url = "jdbc:postgresql://127.0.0.1:" + mailroom.port("PostgreSQL") + "/postgres";
		for (String role : List.of("postgres", "mailroom_owner", "mailroom")) {
			assertThatExceptionOfType(SQLException.class).as(role)
				.isThrownBy(() -> DriverManager.getConnection(url, role, "a guess").close())
				.returns("28P01", SQLException::getSQLState);
		}
	}

	@Test
	void theOperatorSignsInWithThePrintedPassword() throws Exception {
		String operator = """
				{"email": "%s", "password": "%s"}""".formatted(mailroom.word("Operator"), mailroom.word("Password"));
		try (Web api = new Web(mailroom.port("API"))) {
			assertThat(api.post("/api/auth/login", operator).status()).isEqualTo(200);
		}
	}

	@Test
	void theApiIsServedOnlyOnItsPort() throws Exception {
		try (Web api = new Web(mailroom.port("API"))) {
			assertThat(api.get("/api/auth/me").status()).isEqualTo(401);
		}
		for (String port : List.of("Admin", "Management", "Mailbox")) {
			try (Web other = new Web(mailroom.port(port))) {
				assertThat(other.get("/api/auth/me").status()).as(port).isEqualTo(404);
				assertThat(other.get("/openapi.json").status()).as(port).isEqualTo(404);
				assertThat(other.get("/.well-known/jwks.json").status()).as(port).isEqualTo(404);
			}
		}
	}

	@Test
	void theAdminAppIsServedOnlyOnItsPort() throws Exception {
		Map<String, String> browser = Map.of("Accept", "text/html");
		try (Web admin = new Web(mailroom.port("Admin"))) {
			assertThat(admin.get("/login", browser).status()).isEqualTo(200);
			assertThat(admin.get("/graphql").status()).isEqualTo(405);
		}
		for (String port : List.of("API", "Management", "Mailbox")) {
			try (Web other = new Web(mailroom.port(port))) {
				assertThat(other.post("/graphql", "{}").status()).as(port).isIn(401, 404);
				assertThat(other.get("/graphql").status()).as(port).isIn(401, 404);
				assertThat(other.get("/login", browser).status()).as(port).isIn(401, 404);
			}
		}
	}

}
