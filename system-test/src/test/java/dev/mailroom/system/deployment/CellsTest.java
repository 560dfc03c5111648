package dev.mailroom.system.deployment;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.mailroom.Await;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Two cells behind HAProxy with the configuration of examples/cells. */
@Tag("nightly")
class CellsTest {

	private static final Path HAPROXY = Path.of("/usr/sbin/haproxy");

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private static final String PASSWORD = "correct horse battery";

	@TempDir
	private static Path temporary;

	private static Mailroom europe;

	private static Mailroom america;

	private static Process proxy;

	private static int port;

	@BeforeAll
	static void start() throws Exception {
		Assumptions.assumeTrue(Files.isExecutable(HAPROXY), "HAProxy is not installed");
		europe = cell("eu1");
		america = cell("us1");
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		ProcessBuilder builder = new ProcessBuilder(HAPROXY.toString(), "-f", "../examples/cells/haproxy.cfg");
		builder.environment()
			.putAll(Map.of("BIND", "127.0.0.1:" + port, "EU1", "127.0.0.1:" + europe.port("API"), "EU1_MANAGEMENT",
					"" + europe.port("Management"), "US1", "127.0.0.1:" + america.port("API"), "US1_MANAGEMENT",
					"" + america.port("Management")));
		proxy = builder.inheritIO().start();
		Await.until("the proxy listens and has found the cells", TIMEOUT, () -> {
			try (Web common = new Web(port)) {
				return common.get("/openapi.json").status() == 200;
			}
			catch (IOException _) {
				return false;
			}
		});
	}

	private static Mailroom cell(String name) throws Exception {
		return Mailroom.begin(temporary.resolve(name), Map.of("MAILROOM_CELL", name)).ready();
	}

	@AfterAll
	static void stop() throws Exception {
		for (Mailroom cell : new Mailroom[] { europe, america }) {
			if (cell != null) {
				cell.close();
			}
		}
		if (proxy != null) {
			proxy.destroy();
			proxy.waitFor();
		}
	}

	@Test
	void aRequestGoesToTheCellOfItsCredential() throws Exception {
		Account first = account(europe, "eu1");
		Account second = account(america, "us1");
		assertThat(first.key()).startsWith("ek_eu1");
		assertThat(second.key()).startsWith("ek_us1");
		try (Web common = new Web(port)) {
			for (Account account : List.of(first, second)) {
				common.use(account.token());
				assertThat(common.get("/api/domains").json(200).at("/data/domains/0/name").stringValue())
					.isEqualTo(account.domain());
				common.use(account.key());
				String id = common.post("/api/emails", account.mail()).json(200).path("id").stringValue();
				Await.until("the mail is delivered", TIMEOUT,
						() -> common.get("/api/emails/" + id)
							.json(200)
							.path("status")
							.asString("")
							.equals("delivered"));
			}
		}
	}

	@Test
	void aWrongRouteIsMisdirectedAndNotUnauthorized() throws Exception {
		Account other = account(america, "wrong");
		try (Web api = new Web(europe.port("API"))) {
			for (String credential : List.of(other.key(), other.token())) {
				api.use(credential);
				for (String path : List.of("/api/emails", "/api/emails/batch")) {
					assertThat(api.post(path, other.mail()).json(421).path("message").stringValue())
						.contains("belongs to the cell us1");
				}
			}
		}
	}

	@Test
	void aFrozenCellDisturbsNoOther() throws Exception {
		Account first = account(europe, "calm");
		Account second = account(america, "frozen");
		signal("STOP");
		try (Web common = new Web(port)) {
			common.use(second.key());
			Await.until("the proxy misses the cell", TIMEOUT.multipliedBy(3), () -> isRefused(common, second));
			common.use(first.key());
			common.post("/api/emails", first.mail()).json(200);
			signal("CONT");
			common.use(second.key());
			Await.until("the cell is back", TIMEOUT, () -> common.post("/api/emails", second.mail()).status() == 200);
		}
		finally {
			signal("CONT");
		}
	}

	/**
	 * Whether the proxy refuses a mail; the request that meets the frozen cell times out.
	 */
	private static boolean isRefused(Web common, Account account) throws Exception {
		try {
			return common.post("/api/emails", account.mail()).status() == 503;
		}
		catch (HttpTimeoutException _) {
			return false;
		}
	}

	private static void signal(String name) throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-" + name, Long.toString(america.process().pid())).start().waitFor();
	}

	/** An account of a cell with a verified domain. */
	private static Account account(Mailroom cell, String name) throws Exception {
		String domain = name + ".test";
		String login = "{\"email\": \"owner@%s\", \"password\": \"%s\"}".formatted(domain, PASSWORD);
		try (Web api = new Web(cell.port("API")); Web mailbox = new Web(cell.port("Mailbox"))) {
			api.post("/api/auth/register", login).json(201);
			String messages = "/messages?to=owner@" + domain;
			Await.until("the verification mail arrives", TIMEOUT,
					() -> mailbox.get(messages).body().contains("token="));
			String text = mailbox.get(messages).json(200).at("/messages/0/text").stringValue();
			String code = text.replaceAll("(?s).*token=([^\\s&]+).*", "$1");
			api.post("/api/auth/verify-email", "{\"token\": \"" + code + "\"}").json(200);
			String access = api.post("/api/auth/login", login).json(200).at("/data/access_token").stringValue();
			api.use(access);
			String id = api.post("/api/domains", "{\"name\": \"" + domain + "\"}")
				.json(201)
				.at("/data/domain/id")
				.stringValue();
			api.post("/api/domains/" + id + "/verify", "").json(200);
			String key = api.post("/api/api-keys", "{\"domainId\": \"" + id + "\", \"keyName\": \"first\"}")
				.json(201)
				.at("/data/apiKey/key")
				.stringValue();
			return new Account(domain, access, key);
		}
	}

	/** An account with the credentials that its cell has issued. */
	private record Account(String domain, String token, String key) {

		String mail() {
			return """
					{"from": "a@%s", "to": "ann@example.test", "subject": "Hi", "text": "Hi"}""".formatted(this.domain);
		}

	}

}
