package dev.mailroom.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A Prometheus server scrapes a running standalone and evaluates every expression of the
 * dashboards and alerts.
 */
class MonitoringTest {

	private static final Path ROOT = Path.of("..");

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private static final int MAX_SERIES = 5_000;

	/** A rate limit that few requests exceed. */
	private static final Map<String, String> LOW_LIMITS = Map.of("MAILROOM_RATE_LIMIT_OTHERS", "1",
			"MAILROOM_RATE_LIMIT_OTHER_BURST", "20");

	/**
	 * Parts of expressions that have no data here: another exporter, facts that are rare,
	 * and meters that are updated only once a minute.
	 */
	private static final List<String> RARE = List.of("pg_stat_", "result=\"blocked\"", "dsn|arf",
			"daily_monthly_limit_reached", "mailroom_reputation_", "mailroom_tenant_",
			"kafka_consumer_fetch_manager_records");

	private static final List<String> RECIPIENTS = List.of("ok@y.test", "bounced@simulator.mailroom.localhost",
			"deferred@simulator.mailroom.localhost", "complained@simulator.mailroom.localhost",
			"clicked@simulator.mailroom.localhost");

	private static final Pattern TOKEN = Pattern.compile("token=([^\\s&]+)");

	private static final Pattern OPEN = Pattern.compile("(/t/o/[A-Za-z0-9_-]+)");

	private static final Pattern METRIC = Pattern
		.compile("\\b(?:mailroom_|http_|kafka_|r2dbc_|jvm_|process_)[a-z0-9_]+");

	@TempDir
	private static Path temporary;

	private static Mailroom mailroom;

	private static HttpServer hooks;

	private static Process prometheus;

	private static Web queries;

	private static String apiKey = "";

	@BeforeAll
	static void start() throws Exception {
		assumeTrue(hasPrometheus(), "SKIPPED: prometheus is not installed (Debian package prometheus), the expressions "
				+ "of dashboards and alerts are not evaluated");
		mailroom = Mailroom.begin(temporary.resolve("data"), LOW_LIMITS).ready();
		hooks = hooks();
		int port = freePort();
		prometheus = prometheus(port, mailroom.port("Management"));
		queries = new Web(port);
		traffic();
		Poll.until(TIMEOUT, MonitoringTest::isReady);
	}

	private static boolean isReady() throws Exception {
		try {
			return !query("mailroom_retries_total").isEmpty();
		}
		catch (IOException _) {
			return false;
		}
	}

	@AfterAll
	static void stop() throws Exception {
		if (prometheus != null) {
			prometheus.destroyForcibly().waitFor();
			queries.close();
		}
		if (mailroom != null) {
			mailroom.close();
		}
		if (hooks != null) {
			hooks.stop(0);
		}
	}

	/** A server that accepts webhook calls. */
	private static HttpServer hooks() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (call) -> {
			call.getRequestBody().readAllBytes();
			call.sendResponseHeaders(204, -1);
			call.close();
		});
		server.start();
		return server;
	}

	@Test
	void everyExpressionOfADashboardReturnsDataUnderTraffic() throws Exception {
		Map<String, String> expressions = new TreeMap<>();
		for (Path file : files("dashboards")) {
			for (JsonNode panel : JsonMapper.shared().readTree(Files.readString(file)).get("panels")) {
				for (JsonNode target : panel.path("targets")) {
					expressions.put(target.get("expr").asString().replace("$__rate_interval", "1m"),
							file.getFileName() + ": " + panel.get("title").asString());
				}
			}
		}
		for (String expression : expressions.keySet()) {
			query(expression);
		}
		expressions.keySet().removeIf(MonitoringTest::isRare);
		awaitAnswers(expressions);
		drawDashboards();
	}

	/** Pictures to look at, drawn from the answers of the server. */
	private static void drawDashboards() throws Exception {
		Path directory = Files.createDirectories(Path.of("target", "dashboards"));
		for (Path file : files("dashboards")) {
			String picture = DashboardPicture.of(JsonMapper.shared().readTree(Files.readString(file)),
					MonitoringTest::range);
			assertThat(picture).as(file.toString()).contains("<polyline ");
			Files.writeString(directory.resolve(file.getFileName().toString().replace(".json", ".svg")), picture);
		}
	}

	private static JsonNode range(String expression) throws Exception {
		double now = get("/api/v1/query?query=time()").at("/data/result/1").asDouble();
		return get("/api/v1/query_range?step=1&start=%.0f&end=%.0f&query=%s".formatted(now - 60, now,
				URLEncoder.encode(expression, StandardCharsets.UTF_8)))
			.at("/data/result");
	}

	private static boolean isRare(String expression) {
		return RARE.stream().anyMatch(expression::contains);
	}

	private static void awaitAnswers(Map<String, String> expressions) throws Exception {
		Map<String, String> open = new TreeMap<>(expressions);
		try {
			Poll.until(TIMEOUT, Duration.ofSeconds(1), () -> {
				sendMore();
				return removeAnswered(open).isEmpty();
			});
		}
		catch (AssertionError _) {
			assertThat(open).as("expressions without data").isEmpty();
		}
	}

	/** Sends a mail, because a rate is the difference between two scrapes. */
	private static void sendMore() throws Exception {
		try (Web api = new Web(mailroom.port("API"))) {
			api.use(apiKey);
			api.post("/api/emails", mail(RECIPIENTS.getFirst()));
		}
	}

	private static Map<String, String> removeAnswered(Map<String, String> expressions) throws Exception {
		for (String expression : List.copyOf(expressions.keySet())) {
			if (!query(expression).isEmpty()) {
				expressions.remove(expression);
			}
		}
		return expressions;
	}

	@Test
	void everyMetricOfARuleExistsAndNoRuleFailsOrFiresWhenAllIsWell() throws Exception {
		List<JsonNode> rules = new ArrayList<>();
		for (JsonNode group : get("/api/v1/rules").at("/data/groups")) {
			group.get("rules").forEach(rules::add);
		}
		assertThat(rules).hasSizeGreaterThan(50);
		Set<String> metrics = new TreeSet<>();
		for (JsonNode rule : rules) {
			assertThat(rule.get("health").asString()).as(rule.toString()).isNotEqualTo("err");
			assertThat(rule.path("state").asString("inactive")).as(rule.toString()).isNotEqualTo("firing");
			METRIC.matcher(rule.get("query").asString()).results().map(MatchResult::group).forEach(metrics::add);
		}
		Map<String, String> counts = metrics.stream()
			.collect(Collectors.toMap((metric) -> "count(" + metric + ")", Function.identity()));
		counts.keySet().removeIf(MonitoringTest::isRare);
		awaitAnswers(counts);
	}

	@Test
	void theProcessExportsFewerSeriesThanItsBudget() throws Exception {
		double series = query("count({job=\"mailroom\"})").get(0).get("value").get(1).asDouble();
		assertThat(series).isBetween(200d, (double) MAX_SERIES);
	}

	/**
	 * Mail with several results, webhook calls, refused requests, an open, received mail,
	 * too many requests, and a request to GraphQL.
	 */
	private static void traffic() throws Exception {
		try (Web api = new Web(mailroom.port("API")); Web mailbox = new Web(mailroom.port("Mailbox"))) {
			String person = "{\"email\": \"mona@m.test\", \"password\": \"correct horse battery\", \"name\": \"Mona\"}";
			api.post("/api/auth/register", person).json(201);
			String token = found(TOKEN, mailTo(mailbox, "mona@m.test"));
			api.post("/api/auth/verify-email", "{\"token\": \"" + token + "\"}").json(200);
			String session = api.post("/api/auth/login", person).json(200).at("/data/access_token").asString();
			api.use(session);
			String domain = api.post("/api/domains", "{\"name\": \"m.test\"}")
				.json(201)
				.at("/data/domain/id")
				.asString();
			api.post("/api/domains/" + domain + "/verify", "").json(200);
			api.patch("/api/domains/" + domain, "{\"open_tracking\": true, \"click_tracking\": true}").json(200);
			apiKey = api.post("/api/api-keys", "{\"domainId\": \"" + domain + "\", \"keyName\": \"load\"}")
				.json(201)
				.at("/data/apiKey/key")
				.asString();
			api.post("/api/webhooks/endpoints", "{\"url\": \"http://localhost:" + hooks.getAddress().getPort()
					+ "/\", \"events\": [\"email.delivered\"]}")
				.json(201);
			api.use(apiKey);
			for (String recipient : RECIPIENTS) {
				api.post("/api/emails", mail(recipient), recipient).json(200);
			}
			api.post("/api/emails", mail(RECIPIENTS.getFirst()), RECIPIENTS.getFirst()).json(200);
			assertThat(api.post("/api/emails", "{}").status()).isEqualTo(400);
			assertThat(api.get(found(OPEN, mailTo(mailbox, RECIPIENTS.getFirst()))).status()).isEqualTo(200);
			assertThat(Smtp.send(mailroom.port("Inbound"), "grace@y.test", "mona@m.test", "Subject: Re\n\nFine.\n"))
				.startsWith("250");
			api.use(session);
			Poll.until(TIMEOUT, Duration.ofMillis(1), () -> api.get("/api/auth/me").status() == 429);
			api.use("ek_unknown");
			assertThat(api.get("/api/emails").status()).isEqualTo(401);
			try (Web admin = new Web(mailroom.port("Admin"))) {
				assertThat(admin.post("/graphql", "{\"query\": \"{ __typename }\"}").status()).isEqualTo(200);
			}
		}
	}

	private static String mailTo(Web mailbox, String recipient) throws Exception {
		String path = "/messages?to=" + recipient;
		Poll.until(TIMEOUT, () -> !mailbox.get(path).json(200).get("messages").isEmpty());
		JsonNode mail = mailbox.get(path).json(200).get("messages").get(0);
		return mail.path("text").asString("") + mail.path("html").asString("");
	}

	private static String found(Pattern pattern, String text) {
		Matcher matcher = pattern.matcher(text);
		assertThat(matcher.find()).as(text).isTrue();
		return matcher.group(1);
	}

	private static String mail(String recipient) {
		return """
				{"from": "Mona <mona@m.test>", "to": ["%s"], "subject": "Load",
				 "html": "<p>Hello <a href='https://example.com/'>you</a></p>"}
				""".formatted(recipient);
	}

	private static Process prometheus(int port, int target) throws IOException {
		Path configuration = Files.writeString(temporary.resolve("prometheus.yml"), """
				global: {scrape_interval: 1s, evaluation_interval: 1s}
				rule_files: ["%s/observability/alerts/*.yaml"]
				scrape_configs:
				  - job_name: mailroom
				    metrics_path: /actuator/prometheus
				    static_configs: [{targets: ["127.0.0.1:%d"]}]
				""".formatted(ROOT.toRealPath(), target));
		return new ProcessBuilder("prometheus", "--config.file=" + configuration,
				"--storage.tsdb.path=" + temporary.resolve("tsdb"), "--web.listen-address=127.0.0.1:" + port)
			.redirectErrorStream(true)
			.redirectOutput(temporary.resolve("prometheus.log").toFile())
			.start();
	}

	/** Result of an instant query; fails if the expression is invalid. */
	private static JsonNode query(String expression) throws Exception {
		return get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8)).at("/data/result");
	}

	private static JsonNode get(String path) throws Exception {
		return queries.get(path).json(200);
	}

	private static List<Path> files(String directory) throws IOException {
		try (Stream<Path> files = Files.list(ROOT.resolve("observability").resolve(directory))) {
			return files.filter(Files::isRegularFile).toList();
		}
	}

	private static boolean hasPrometheus() {
		return Stream.of(System.getenv("PATH").split(":"))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, "prometheus")));
	}

	private static int freePort() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

}
