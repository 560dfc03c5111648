package dev.mailroom.system;

import java.io.IOException;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A Prometheus server scrapes a standalone under traffic and evaluates every expression
 * of the dashboards and alerts. The alerts come first, because a busy machine may miss
 * the objectives for longer than an alert waits.
 */
@Order(Integer.MAX_VALUE - 1)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MonitoringTest {

	private static final Path ROOT = Path.of("..");

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	/** Some meters are read or registered once a minute, and reputations once more. */
	private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(4);

	/** Time between two rounds of traffic, and between two scrapes. */
	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final int MAX_SERIES = 5_000;

	/**
	 * Parts of expressions that have no data here: of other exporters, of the probe, of
	 * sending addresses, pools, reports, routes, replicas and the directory, not
	 * configured, and of refusals by a policy and replies that slow a site, which neither
	 * the sandbox nor the mailbox has. A count of a label that is absent has none either.
	 */
	private static final List<String> ABSENT = List.of("pg_stat_", "pg_replication_", "cnpg_", "barman_cloud_", "kube_",
			"mailroom_probe_", "slo=\"probe\"", "result=\"blocked\"", "mailroom_address_check", "mailroom_replica_",
			"mailroom_directory_", "mailroom_site_pauses_", "mailroom_inbound_routed_", "mailroom_report_domain",
			"mailroom_dmarc_reports_", "mailroom_source_", "mailroom_tracking_certificates", "mailroom_acme_",
			"mailroom_pool_", "mailroom_warmup_held", "mailroom_warmup_used_ratio", "mailroom_tls_policy_",
			"mailroom_dnssec_available");

	/**
	 * Parts of expressions whose values are zero when all is well, or most of the time.
	 */
	private static final List<String> QUIET = List.of("_pending", "pool_acquired", "_records_lag", "_oldest_age",
			"mailroom_resource_used", "mailroom_resource_waiting", "_live_data_size", "status=~\"5",
			"reply_class=\"net\"", "changes(process_start", "_clock_offset", "mailroom_destinations",
			"mailroom_ambiguous_", "mailroom_dead_letters", "mailroom_schema_behind", "_tenants_at_risk",
			"_key_unreadable");

	private static final Pattern METRIC = Pattern
		.compile("\\b(?:mailroom_|http_|kafka_|r2dbc_|jvm_|process_)[a-z0-9_]+");

	@TempDir
	private static Path temporary;

	private static Mailroom mailroom;

	private static Traffic traffic;

	private static Process prometheus;

	private static Web queries;

	@BeforeAll
	static void start() throws Exception {
		assumeTrue(hasPrometheus(), "SKIPPED: prometheus is not installed (Debian package prometheus), the expressions "
				+ "of dashboards and alerts are not evaluated");
		mailroom = Mailroom.begin(temporary.resolve("data"), Traffic.SETTINGS).ready();
		int port = freePort();
		prometheus = prometheus(port, mailroom.port("Management"));
		queries = new Web(port);
		traffic = new Traffic(mailroom);
		Await.until("the server has scraped a retry", TIMEOUT, INTERVAL, MonitoringTest::isReady);
	}

	/** Sends until the server has scraped the result of a retry. */
	private static boolean isReady() throws Exception {
		traffic.round();
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
		if (traffic != null) {
			traffic.close();
		}
		if (mailroom != null) {
			mailroom.close();
		}
	}

	@Test
	@Order(2)
	void everyExpressionOfADashboardReturnsDataUnderTraffic() throws Exception {
		Map<String, String> expressions = new TreeMap<>();
		for (Path file : files("dashboards")) {
			for (JsonNode panel : JsonMapper.shared().readTree(Files.readString(file)).get("panels")) {
				for (JsonNode target : panel.path("targets")) {
					expressions.put(DashboardPicture.expression(target),
							file.getFileName() + ": " + panel.get("title").asString());
				}
			}
		}
		for (String expression : expressions.keySet()) {
			query(expression);
		}
		expressions.keySet().removeIf(MonitoringTest::isAbsent);
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

	private static boolean isAbsent(String expression) {
		return ABSENT.stream().anyMatch(expression::contains);
	}

	private static void awaitAnswers(Map<String, String> expressions) throws Exception {
		Map<String, String> open = new TreeMap<>(expressions);
		try {
			Await.until("every expression has an answer", ANSWER_TIMEOUT, INTERVAL, () -> {
				traffic.round();
				return removeAnswered(open).isEmpty();
			});
		}
		catch (AssertionError _) {
			assertThat(open).as("expressions without data").isEmpty();
		}
	}

	private static Map<String, String> removeAnswered(Map<String, String> expressions) throws Exception {
		for (String expression : List.copyOf(expressions.keySet())) {
			if (query(expression).valueStream().anyMatch((sample) -> isData(expression, sample))) {
				expressions.remove(expression);
			}
		}
		return expressions;
	}

	/** Whether a sample is a number, and not zero unless that is a good sign. */
	private static boolean isData(String expression, JsonNode sample) {
		double value = Double.parseDouble(sample.get("value").get(1).asString());
		return !Double.isNaN(value) && (value != 0 || QUIET.stream().anyMatch(expression::contains));
	}

	@Test
	@Order(1)
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
		counts.keySet().removeIf(MonitoringTest::isAbsent);
		awaitAnswers(counts);
	}

	@Test
	@Order(3)
	void mailOfEveryChannelIsCounted() throws Exception {
		assertThat(query("sum by (channel) (mailroom_emails_accepted_total) > 0").valueStream()
			.map((sample) -> sample.at("/metric/channel").asString()))
			.containsExactlyInAnyOrder("api", "batch", "smtp", "campaign", "platform");
	}

	@Test
	@Order(4)
	void theProcessExportsFewerSeriesThanItsBudget() throws Exception {
		double series = query("count({job=\"mailroom\"})").get(0).get("value").get(1).asDouble();
		System.out.printf("The standalone exports %.0f series%n", series);
		assertThat(series).isBetween(200d, (double) MAX_SERIES);
	}

	private static Process prometheus(int port, int target) throws IOException {
		Path configuration = Files.writeString(temporary.resolve("prometheus.yml"), """
				global: {scrape_interval: 2s, evaluation_interval: 2s}
				rule_files: ["%s/helm/alerts/*.yaml"]
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
		try (Stream<Path> files = Files.list(ROOT.resolve("helm").resolve(directory))) {
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
