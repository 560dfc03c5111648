package dev.mailroom.system.deployment;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.directory.JoinDirectory;
import dev.mailroom.domain.TestDns;
import dev.mailroom.move.Move;
import dev.mailroom.process.Database;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import dev.mailroom.system.Journey;
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

	/**
	 * Limit on the time until all mails and calls of the account that moves have ended.
	 */
	private static final Duration ENDED = Duration.ofMinutes(5);

	/** Between sign-ins that fail, of which an address has ten. */
	private static final Duration SELDOM = Duration.ofSeconds(6);

	private static final String PASSWORD = "correct horse battery";

	private static final String EUROPE_KEY = "ZXVyb3BlLWV1cm9wZS1ldXJvcGUtZXVyb3BlLWV1cm8=";

	/** The new cell opens what the old one has sealed. */
	private static final String AMERICA_KEYS = "YW1lcmljYS1hbWVyaWNhLWFtZXJpY2EtYW1lcmljYS0=," + EUROPE_KEY;

	/** Lines of the program, in whose steps it is killed. */
	private static final List<String> STEPS = List.of("has begun", "Copied the table email", "changes follow",
			"is stopped", "last changes are copied", "is in the new cell", "has left the old cell");

	private static final Path CLIENTS = Path.of("src/test/clients");

	private static final Path JAVA_SDK = Path.of("../clients/java/target").toAbsolutePath();

	private static final Pattern TOKEN = Pattern.compile("token=([\\w.-]+)");

	@TempDir
	private static Path temporary;

	private static Mailroom europe;

	private static Mailroom america;

	/** The relay of both cells: unlike the mailbox, it keeps every mail. */
	private static final ScriptedSmtpServer RELAY = new ScriptedSmtpServer();

	/** The directory of both cells. */
	private static Database directory;

	private static Process proxy;

	private static TestDns dns;

	private static int port;

	private static int appPort;

	/** Names and URLs of the cells. */
	private static String cells;

	@BeforeAll
	static void start() throws Exception {
		Assumptions.assumeTrue(Files.isExecutable(HAPROXY), "HAProxy is not installed");
		directory = new Database(temporary.resolve("directory"), Map.of("wal_level", "logical"));
		directory.furnish("directory");
		List<Integer> ports = freePorts(4);
		dns = new TestDns();
		cells = "eu1=http://localhost:%d,us1=http://localhost:%d".formatted(ports.get(0), ports.get(1));
		europe = cell("eu1", ports.get(0), EUROPE_KEY);
		america = cell("us1", ports.get(1), AMERICA_KEYS);
		join("eu1", europe);
		join("us1", america);
		port = ports.get(2);
		appPort = ports.get(3);
		startProxy("");
	}

	private static List<Integer> freePorts(int number) throws IOException {
		List<Integer> ports = new ArrayList<>();
		List<ServerSocket> sockets = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			sockets.add(new ServerSocket(0));
			ports.add(sockets.getLast().getLocalPort());
		}
		for (ServerSocket socket : sockets) {
			socket.close();
		}
		return ports;
	}

	/** Starts the proxy with the keys of accounts that were moved. */
	private static void startProxy(String moved) throws Exception {
		if (proxy != null) {
			proxy.destroy();
			proxy.waitFor();
		}
		Path map = Files.writeString(temporary.resolve("moved.map"), moved);
		ProcessBuilder builder = new ProcessBuilder(HAPROXY.toString(), "-f", "../examples/cells/haproxy.cfg");
		builder.environment()
			.putAll(Map.of("BIND_APP", "127.0.0.1:" + appPort, "EU1_APP", "127.0.0.1:" + europe.port("Admin"),
					"EU1_APP_MANAGEMENT", "" + europe.port("Management"), "US1_APP",
					"127.0.0.1:" + america.port("Admin"), "US1_APP_MANAGEMENT", "" + america.port("Management")));
		builder.environment()
			.putAll(Map.of("BIND", "127.0.0.1:" + port, "EU1", "127.0.0.1:" + europe.port("API"), "EU1_MANAGEMENT",
					"" + europe.port("Management"), "US1", "127.0.0.1:" + america.port("API"), "US1_MANAGEMENT",
					"" + america.port("Management"), "MOVED", map.toString()));
		proxy = builder.inheritIO().start();
		Await.until("the proxy listens and has found the cells", TIMEOUT, () -> {
			try (Web common = new Web(port); Web app = new Web(appPort)) {
				return common.get("/openapi.json").status() == 200 && app.get("/").status() == 200;
			}
			catch (IOException _) {
				return false;
			}
		});
	}

	private static Mailroom cell(String name, int apiPort, String masterKeys) throws Exception {
		Map<String, String> settings = new HashMap<>(directoryOf(name));
		settings.putAll(Map.of("MAILROOM_RATE_LIMIT_ENABLED", "false", "MAILROOM_MASTER_KEY", masterKeys,
				"MAILROOM_DEFAULT_PLAN", "unlimited", "MAILROOM_RELAY_HOST", "127.0.0.1", "MAILROOM_RELAY_PORT",
				"" + RELAY.port(), "MAILROOM_RELAY_TLS", "none"));
		settings.putAll(Map.of("MAILROOM_CELLS", cells, "MAILROOM_API_PORT", "" + apiPort, "MAILROOM_DNS_SERVERS",
				dns.address(), "MAILROOM_TRACKING_HOST", "links.cells.test"));
		return Mailroom.begin(temporary.resolve(name), settings).ready();
	}

	private static Map<String, String> directoryOf(String cell) {
		return Map.of("MAILROOM_CELL", cell, "MAILROOM_DIRECTORY_URL", directory.url("directory"),
				"MAILROOM_DIRECTORY_PASSWORD", "the password of " + cell);
	}

	/** Runs the program with which a cell joins the directory. */
	private static void join(String name, Mailroom cell) throws Exception {
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-cp", System.getProperty("java.class.path"), JoinDirectory.class.getName());
		builder.environment().putAll(directoryOf(name));
		builder.environment()
			.putAll(Map.of("MAILROOM_APP_URL", appUrl(cell), "MAILROOM_DB_URL", database(cell),
					"MAILROOM_DB_OWNER_USER", "postgres", "MAILROOM_DB_OWNER_PASSWORD",
					password(name, "postgres-superuser"), "MAILROOM_DIRECTORY_OWNER_USER", "postgres"));
		assertThat(builder.inheritIO().start().waitFor()).isZero();
	}

	private static String appUrl(Mailroom cell) {
		return "http://localhost:" + cell.port("Admin");
	}

	@AfterAll
	static void stop() throws Exception {
		RELAY.close();
		if (directory != null) {
			directory.close();
		}
		if (dns != null) {
			dns.close();
		}
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
	void eachOperationOfTheSdkPassesTheProxyForAnAccountOfEachCell() throws Exception {
		Path document = temporary.resolve("openapi.json");
		for (Mailroom cell : List.of(europe, america)) {
			Account account = account(cell, (cell == europe) ? "tour1" : "tour2");
			Map<String, String> settings = new HashMap<>(
					Map.of("OPENAPI", document.toString(), "RESEND_BASE_URL", "http://localhost:" + port + "/api",
							"DOMAIN", account.domain(), "INBOUND_PORT", "" + cell.port("Inbound")));
			try (Web common = new Web(port)) {
				Files.writeString(document, common.get("/openapi.json").body());
				common.use(account.token());
				settings.put("ACCOUNT_KEY", common.post("/api/api-keys", """
						{"account": true, "keyName": "sdk", "permissions": ["send", "domains.write", "templates.write",
						 "contacts.write", "campaigns.write", "campaigns.send", "suppressions.write", "webhooks.write",
						 "events.read", "usage.read"]}""").json(201).at("/data/apiKey/key").stringValue());
			}
			ProcessBuilder tour = new ProcessBuilder("node", "covered.mjs", "java", "-cp",
					JAVA_SDK.resolve("classes") + File.pathSeparator + JAVA_SDK.resolve("test-classes"),
					"dev.mailroom.sdk.program.AllOperations")
				.directory(CLIENTS.toFile())
				.redirectErrorStream(true);
			tour.environment().putAll(settings);
			Process program = tour.start();
			program.getOutputStream().close();
			String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(program.waitFor()).as(output).isZero();
			assertThat(output).contains("java sdk passed", "covered ");
		}
	}

	@Test
	void anOperatorOfOneCellSeesBothAndSuspendsAnAccountOfTheOther() throws Exception {
		Account first = account(europe, "press");
		Account second = account(america, "books");
		Journey.run("cells.mjs", Map.of("APP", "" + appPort, "OPERATOR", europe.word("Operator"), "PASSWORD",
				europe.word("Password"), "EU1", "owner@press.test", "US1", "owner@books.test"));
		try (Web common = new Web(port)) {
			common.use(second.key());
			common.post("/api/emails", second.mail()).json(403);
			common.use(first.key());
			common.post("/api/emails", first.mail()).json(200);
		}
	}

	@Test
	void theTokenOfAnOperatorOpensTheConsoleOfEachCellAndThatOfATenantNone() throws Exception {
		String query = "{\"query\": \"{ operator { platform { accounts } } }\"}";
		Account tenant = account(europe, "curious");
		String login = "{\"email\": \"%s\", \"password\": \"%s\"}".formatted(europe.word("Operator"),
				europe.word("Password"));
		try (Web app = new Web(appPort);
				Web home = new Web(europe.port("API"));
				Web other = new Web(america.port("API"))) {
			String operator = home.post("/api/auth/login", login).json(200).at("/data/access_token").stringValue();
			for (String cell : List.of("eu1", "us1")) {
				app.use(operator);
				assertThat(app.post("/cells/" + cell + "/graphql", query)
					.json(200)
					.at("/data/operator/platform/accounts")
					.asInt()).isPositive();
			}
			app.use(tenant.token());
			assertThat(app.post("/cells/us1/graphql", query).json(421).path("message").stringValue())
				.contains("belongs to the cell eu1");
			other.use(operator);
			assertThat(other.get("/api/domains").status()).as("the API of the other cell").isEqualTo(421);
			app.use(operator);
			String own = "{\"query\": \"mutation { createDomain(input: { name: \\\"visitor.test\\\" }) { userErrors { name } } }\"}";
			assertThat(app.post("/cells/us1/graphql", own).json(200).at("/errors/0/extensions/name").asString())
				.isEqualTo("forbidden");
		}
	}

	@Test
	void anAddressAndADomainBelongToOneCell() throws Exception {
		Account first = account(europe, "home");
		Account second = account(america, "away");
		try (Web away = new Web(america.port("API"))) {
			String login = "{\"email\": \"owner@home.test\", \"password\": \"another password\"}";
			Await.until("the copy has the address", TIMEOUT, SELDOM,
					() -> away.post("/api/auth/login", login).status() == 421);
			assertThat(away.post("/api/auth/login", login).json(421).path("url").stringValue())
				.isEqualTo(appUrl(europe));
			away.post("/api/auth/register", login).json(201);
			Await.until("the mail names the other cell", TIMEOUT,
					() -> RELAY.mails().stream().anyMatch((mail) -> mail.content().contains(appUrl(europe))));
			away.use(second.token());
			String id = away.post("/api/domains", "{\"name\": \"" + first.domain() + "\"}")
				.json(201)
				.at("/data/domain/id")
				.stringValue();
			assertThat(
					away.post("/api/domains/" + id + "/verify", "").json(200).at("/data/domain/status").stringValue())
				.isEqualTo("pending");
		}
	}

	@Test
	void withoutTheDirectoryPeopleSignInAndCannotRegister() throws Exception {
		Account account = account(europe, "known");
		String login = "{\"email\": \"owner@known.test\", \"password\": \"" + PASSWORD + "\"}";
		try (Web home = new Web(europe.port("API")); Web away = new Web(america.port("API"))) {
			Await.until("the copy has the address", TIMEOUT, SELDOM,
					() -> away.post("/api/auth/login", login).status() == 421);
			directory.freeze();
			try {
				home.post("/api/auth/login", login).json(200);
				away.post("/api/auth/login", login).json(421);
				Web.Answer refused = home.post("/api/auth/register", login.replace("known", "late"));
				assertThat(refused.json(503).path("message").stringValue()).contains("directory");
				assertThat(refused.headers().firstValue("Retry-After")).hasValue("30");
				home.use(account.key());
				home.post("/api/emails", account.mail()).json(200);
			}
			finally {
				directory.kill();
				directory.restart();
			}
		}
		account(europe, "late");
		try (Web away = new Web(america.port("API"))) {
			Await.until("the copy follows again", TIMEOUT, SELDOM,
					() -> away.post("/api/auth/login", login.replace("known", "late")).status() == 421);
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

	@Test
	void anAccountMovesWhileItSendsAndItsMoveIsKilledInEachStep() throws Exception {
		Account account = account(europe, "moving");
		try (MovingAccount moving = new MovingAccount(List.of(europe.port("API"), america.port("API")),
				account.domain(), account.token(), account.key())) {
			List<Future<Void>> sending = moving.send();
			Await.until("mails are accepted", TIMEOUT, () -> moving.accepted.size() > 20);
			String id = id(account);
			for (String step : STEPS) {
				move("move", id, step);
			}
			String lines = move("move", id, "");
			int accepted = moving.accepted.size();
			Await.until("mails are accepted, or a request was refused", TIMEOUT,
					() -> moving.accepted.size() > accepted + 50 || sending.stream().anyMatch(Future::isDone));
			moving.stop(sending);
			System.out.println(moving.figures());
			assertThatEachMailIsSentOnce(moving, account);
			assertThat(moving.post(1, 0)).as("the cell of a repeated request").isEqualTo(1);
			assertThatTheOldCellNamesTheNewOne(account);
			assertThatTheOldCellDefersInboundMail(account);
			startProxy(lines.lines()
				.filter((line) -> line.contains(" moved ek_"))
				.map((line) -> line.substring(line.indexOf("ek_")) + "\n")
				.reduce("", String::concat));
			Await.until("the proxy knows the cell", TIMEOUT, () -> {
				try (Web common = new Web(port)) {
					common.use(account.key());
					return common.post("/api/emails", account.mail()).status() == 200;
				}
			});
		}
	}

	private static void assertThatEachMailIsSentOnce(MovingAccount moving, Account account) throws Exception {
		Map<String, Integer> once = new HashMap<>();
		moving.accepted.keySet().forEach((number) -> once.put(MovingAccount.recipient(number), 1));
		for (int i = 0; i < MovingAccount.CONTACTS; i++) {
			once.put(MovingAccount.reader(i), 1);
		}
		Await.until("all mails are sent", ENDED, () -> copies().size() >= once.size());
		assertThat(copies()).isEqualTo(once);
		Await.until("all webhook calls are made", ENDED, () -> moving.called.containsAll(moving.accepted.values()));
		try (Web api = new Web(america.port("API"))) {
			api.use(account.key());
			assertThat(api.get("/api/emails/logs?status=delivered").json(200).at("/data/pagination/total").asInt())
				.isEqualTo(once.size());
		}
	}

	/** Number of mails of the account that moves, by recipient. */
	private static Map<String, Integer> copies() {
		return RELAY.mails()
			.stream()
			.map(ScriptedSmtpServer.Mail::rcptTo)
			.filter((recipient) -> recipient.endsWith(MovingAccount.RECIPIENTS))
			.collect(Collectors.toMap((recipient) -> recipient, (_) -> 1, Integer::sum));
	}

	private static void assertThatTheOldCellNamesTheNewOne(Account account) throws Exception {
		try (Web api = new Web(europe.port("API"))) {
			api.use(account.key());
			assertThat(api.get("/api/emails").json(421).path("message").stringValue()).contains("cell us1");
			api.use(account.token());
			assertThat(api.get("/api/domains").status()).isEqualTo(401);
			api.use("");
			String login = "{\"email\": \"owner@%s\", \"password\": \"%s\"}".formatted(account.domain(), PASSWORD);
			assertThat(api.post("/api/auth/login", login).status()).isEqualTo(421);
			try (Web other = new Web(america.port("API"))) {
				other.post("/api/auth/login", login).json(200);
			}
		}
	}

	private static void assertThatTheOldCellDefersInboundMail(Account account) throws Exception {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), europe.port("Inbound"));
				BufferedReader replies = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
			String reply = replies.readLine();
			for (String command : List.of("EHLO a.test", "MAIL FROM:<b@a.test>",
					"RCPT TO:<in@" + account.domain() + ">")) {
				socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
				do {
					reply = replies.readLine();
				}
				while (reply.charAt(3) == '-');
			}
			assertThat(reply).startsWith("451 4.3.2 " + account.domain());
		}
	}

	private static String id(Account account) throws Exception {
		try (Web api = new Web(europe.port("API"))) {
			api.use(account.token());
			return api.get("/api/auth/me").json(200).at("/data/user/id").asString();
		}
	}

	/**
	 * Runs the program that moves an account.
	 * @param last line in which the program is killed; empty for none
	 * @return its output
	 */
	private static String move(String command, String account, String last) throws Exception {
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-cp", System.getProperty("java.class.path"), Move.class.getName(), command, account);
		builder.environment().putAll(directoryOf("eu1"));
		builder.environment()
			.putAll(Map.of("MAILROOM_CELL", "eu1", "MAILROOM_DB_URL", database(europe), "MAILROOM_DB_PASSWORD",
					password("eu1", "postgres-app"), "MAILROOM_MOVE_CELL", "us1", "MAILROOM_MOVE_DB_URL",
					database(america), "MAILROOM_MOVE_DB_PASSWORD", password("us1", "postgres-app"),
					"MAILROOM_MOVE_MASTER_KEY", AMERICA_KEYS));
		Process program = builder.redirectErrorStream(true).start();
		StringBuilder output = new StringBuilder();
		try (BufferedReader lines = program.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				output.append(line).append('\n');
				if (!last.isEmpty() && line.contains(last)) {
					program.destroyForcibly();
				}
			}
		}
		catch (IOException _) {
			// The program was killed.
		}
		// The program before may have made a further step while it was killed.
		boolean reached = !last.isEmpty() && output.toString().contains(last);
		assertThat(program.waitFor()).as(output.toString()).isIn(reached ? List.of(0, 137) : List.of(0));
		return output.toString();
	}

	private static String database(Mailroom cell) {
		return "postgresql://127.0.0.1:" + cell.port("PostgreSQL") + "/mailroom";
	}

	private static String password(String cell, String role) throws IOException {
		return Files.readString(temporary.resolve(cell).resolve("secrets").resolve(role)).strip();
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

	/** Content of the first mail to an address; empty if none has arrived. */
	private static String mail(String recipient) {
		return RELAY.mails()
			.stream()
			.filter((mail) -> mail.rcptTo().contains(recipient))
			.findFirst()
			.map((mail) -> mail.content().replace("=\r\n", "").replace("=3D", "="))
			.orElse("");
	}

	/** An account of a cell with a verified domain. */
	private static Account account(Mailroom cell, String name) throws Exception {
		String domain = name + ".test";
		String login = "{\"email\": \"owner@%s\", \"password\": \"%s\"}".formatted(domain, PASSWORD);
		try (Web api = new Web(cell.port("API"))) {
			api.post("/api/auth/register", login).json(201);
			Await.until("the verification mail arrives", TIMEOUT, () -> !mail("owner@" + domain).isEmpty());
			String code = TOKEN.matcher(mail("owner@" + domain)).results().findFirst().orElseThrow().group(1);
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
