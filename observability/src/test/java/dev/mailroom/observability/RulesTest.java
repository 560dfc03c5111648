package dev.mailroom.observability;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The alerts, their unit tests and runbooks, and the dashboards. */
@Execution(ExecutionMode.CONCURRENT)
class RulesTest {

	private static final Path ROOT = Path.of("..");

	/**
	 * Rules and dashboards are files of the chart, which has to contain what it renders.
	 */
	private static final Path CHART = ROOT.resolve("helm");

	private static final Path ALERTS = CHART.resolve("alerts");

	/** A metric of this product in an expression. */
	private static final Pattern METRIC = Pattern.compile("\\bmailroom_[a-z_]+");

	/** A meter that the code registers. */
	private static final Pattern METER = Pattern
		.compile("\\b(?:counter|builder|gauge|seconds)\\(\\s*(?:registry,\\s*)?\"(mailroom(?:\\.[a-z]+)+)\"");

	/** Suffixes that the Prometheus registry appends to the name of a meter. */
	private static final String SUFFIXES = "(_total|(_seconds)?(_bucket|_count|_sum|_max)?)";

	/** Prefixes of metrics of others, each with the exporter that has them. */
	private static final Map<String, String> FOREIGN = Map.of("kube_", "kube-state-metrics", "pg_", "postgres_exporter",
			"cnpg_", "the exporter of CloudNativePG", "barman_cloud_", "the Barman plugin of CloudNativePG");

	/** Prefixes of metrics of the database, which may be in another namespace. */
	private static final Pattern DATABASE = Pattern.compile("(?:pg|cnpg|barman_cloud)_.*", Pattern.DOTALL);

	/** A metric with its matchers, or the duration that follows it without any. */
	private static final Pattern SELECTOR = Pattern
		.compile("\\b(?:mailroom[_:]|http_server_|kafka_|r2dbc_|jvm_|process_|graphql_(?=request_)|"
				+ String.join("|", FOREIGN.keySet()) + ")[a-z0-9_:]+(\\{[^}]*})?(?!\\w)");

	/** A link to a panel of a dashboard in the installation of the alert. */
	private static final Pattern LINK = Pattern.compile("d/([a-z-]+)\\?viewPanel=(\\d+)&var-cluster=\\{\\{ "
			+ "\\$labels\\.cluster }}(?:&var-namespace=\\{\\{ \\$labels\\.namespace }})?");

	private static final Pattern AGGREGATION = Pattern
		.compile("\\b(?:sum|max|min|count|group|topk)\\b(?: by \\(([^)]*)\\))?");

	/** Alerts about missing data, which need a past: their unit tests have it. */
	private static final Set<String> ABOUT_ABSENCE = Set.of("NoWorkers", "MetricsMissing");

	private static final List<String> SECTIONS = List.of("**Meaning.**", "## Diagnosis", "## Likely causes",
			"## Mitigation", "## Resolved when");

	@TempDir
	Path directory;

	@Test
	void everyMetricOfAnAlertOrDashboardIsRegisteredByTheCode() throws IOException {
		Set<String> meters = meters();
		Set<String> unknown = new TreeSet<>();
		for (Path file : files("alerts", "dashboards")) {
			Matcher metrics = METRIC.matcher(Files.readString(file));
			while (metrics.find()) {
				String metric = metrics.group();
				if (meters.stream().noneMatch((meter) -> metric.matches(meter + SUFFIXES))) {
					unknown.add(file + ": " + metric);
				}
			}
		}
		assertThat(unknown).isEmpty();
	}

	@Test
	void everyMeterIsInTheTableOfTheDocumentation() throws IOException {
		String page = Files.readString(ROOT.resolve("docs/operations.md"));
		assertThat(meters()).isNotEmpty().allSatisfy((meter) -> assertThat(page).contains("`" + meter));
	}

	private static Set<String> meters() throws IOException {
		Set<String> meters = new TreeSet<>();
		for (String module : List.of("observability", "http", "platform-api", "tenant-admin", "delivery-worker")) {
			try (Stream<Path> sources = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
				for (Path source : sources.filter(Files::isRegularFile).toList()) {
					METER.matcher(Files.readString(source))
						.results()
						.forEach((name) -> meters.add(name.group(1).replace('.', '_')));
				}
			}
		}
		return meters;
	}

	@ParameterizedTest
	@MethodSource("alerts")
	void anAlertHasASeverityASummaryADashboardAndARunbook(Map<String, Object> alert) throws IOException {
		assertThat(part(alert, "labels").get("severity")).isIn("page", "ticket", "info");
		Map<String, Object> annotations = part(alert, "annotations");
		assertThat(annotations.get("summary").toString()).isNotBlank();
		Path runbook = ROOT.resolve(annotations.get("runbook_url").toString());
		assertThat(runbook).exists();
		assertThat(Files.readString(runbook)).contains(SECTIONS);
		assertThat(dashboards()).contains(annotations.get("dashboard").toString());
		Matcher link = LINK.matcher(annotations.get("dashboard_url").toString());
		assertThat(link.matches()).as(annotations.toString()).isTrue();
		assertThat(link.group(1)).isEqualTo(annotations.get("dashboard").toString());
		assertThat(list(read(CHART.resolve("dashboards").resolve(link.group(1).replace("mailroom-", "") + ".json")),
				"panels"))
			.filteredOn((panel) -> panel.get("id").toString().equals(link.group(2)))
			.singleElement()
			.satisfies((panel) -> assertThat(panel).containsKey("description"));
		assertThat(alert.get("alert").toString()).startsWith(name(runbook));
	}

	@Test
	void everyAlertHasACaseInWhichItFiresAndOneInWhichItDoesNot() throws IOException {
		String tests = texts(ALERTS.resolve("tests"));
		for (Map<String, Object> alert : alerts().toList()) {
			Pattern used = Pattern.compile("alertname: " + alert.get("alert") + "\n\\s+exp_alerts:(.*)");
			List<String> cases = used.matcher(tests).results().map((result) -> result.group(1).strip()).toList();
			assertThat(cases).as("cases of " + alert.get("alert")).contains("", "[]");
		}
	}

	/** The chart replaces the matcher by the namespace of its release. */
	@Test
	void everySelectorOfARuleHasAMatcherOfTheNamespaceAndAggregationsKeepInstallationsApart() throws IOException {
		for (Map<String, Object> rule : rules().toList()) {
			String expression = rule.get("expr").toString();
			assertThat(SELECTOR.matcher(expression).results().map((metric) -> metric.group(1))).isNotEmpty()
				.allSatisfy((matchers) -> assertThat(matchers).as(expression).contains("namespace=~\".*\""));
			assertThat(AGGREGATION.matcher(expression).results().map((aggregation) -> aggregation.group(1)))
				.allSatisfy((labels) -> assertThat(labels).as(expression).startsWith("cluster, namespace"));
		}
	}

	@Test
	void everySelectorOfAPanelIsForTheChosenInstallation() throws IOException {
		for (Path file : files("dashboards")) {
			assertThat(list(part(read(file), "templating"), "list").stream().map((variable) -> variable.get("name")))
				.contains("cluster", "namespace");
			for (Map<String, Object> panel : list(read(file), "panels")) {
				for (Map<String, Object> target : panel.containsKey("targets") ? list(panel, "targets")
						: List.<Map<String, Object>>of()) {
					String expression = target.get("expr").toString();
					assertThat(SELECTOR.matcher(expression).results().map(MatchResult::group)).isNotEmpty()
						.allSatisfy((selector) -> assertThat(selector).as(expression)
							.contains(DATABASE.matcher(selector).matches() ? "cluster=\"$cluster\""
									: "cluster=\"$cluster\", namespace=\"$namespace\""));
				}
			}
		}
	}

	/** Each firing case of the unit tests, beside the data of the case that is quiet. */
	@Test
	void anAlertFiresForOneInstallationWhileAllIsWellInAnother() throws Exception {
		assumeTrue(hasPromtool(), "SKIPPED: promtool is not installed (Debian package prometheus)");
		for (Path file : files("alerts/tests")) {
			Map<String, Object> unit = read(file);
			List<Map<String, Object>> cases = list(unit, "tests");
			List<Map<String, Object>> both = new ArrayList<>();
			for (Map<String, Object> firing : cases) {
				String name = firing.get("name").toString();
				String calm = name.equals("objectives that are missed raise every alert")
						? "objectives that are kept raise no alert" : name.replaceFirst(" fires$", " does not fire");
				if (!calm.equals(name) && !ABOUT_ABSENCE.contains(name.replace(" fires", ""))) {
					Map<String, Object> quiet = cases.stream()
						.filter((one) -> one.get("name").equals(calm))
						.findFirst()
						.orElseThrow();
					both.add(beside(firing, quiet));
				}
			}
			if (both.isEmpty()) {
				continue;
			}
			unit.put("rule_files",
					((List<?>) unit.get("rule_files")).stream()
						.map((rules) -> file.getParent().resolve(rules.toString()).toAbsolutePath().toString())
						.toList());
			unit.put("tests", both);
			Files.writeString(this.directory.resolve(file.getFileName()), new Yaml().dump(unit));
		}
		assertThat(this.directory).isDirectoryContaining("glob:**/platform.yaml");
		promtool(this.directory, "test", this.directory);
	}

	private static Map<String, Object> beside(Map<String, Object> firing, Map<String, Object> quiet) {
		assertThat(quiet.get("interval")).isEqualTo(firing.get("interval"));
		List<Map<String, Object>> series = new ArrayList<>();
		list(firing, "input_series").forEach((one) -> series.add(in("production", one)));
		list(quiet, "input_series").forEach((one) -> series.add(in("staging", one)));
		for (Map<String, Object> expected : list(firing, "alert_rule_test")) {
			for (Map<String, Object> alert : list(expected, "exp_alerts")) {
				part(alert, "exp_labels").put("namespace", "production");
				part(alert, "exp_annotations").computeIfPresent("dashboard_url",
						(_, url) -> url.toString().replaceAll("namespace=$", "namespace=production"));
			}
		}
		return Map.of("name", firing.get("name"), "interval", firing.get("interval"), "input_series", series,
				"alert_rule_test", firing.get("alert_rule_test"));
	}

	private static Map<String, Object> in(String namespace, Map<String, Object> series) {
		String label = "{namespace=\"" + namespace + "\",";
		String name = series.get("series").toString();
		return Map.of("values", series.get("values"), "series",
				name.contains("{") ? name.replace("{", label) : name + label + "}");
	}

	@Test
	void everyRunbookOfAnAlertBelongsToOne() throws IOException {
		Set<String> used = alerts().map((alert) -> part(alert, "annotations").get("runbook_url").toString())
			.map((url) -> name(Path.of(url)))
			.collect(Collectors.toSet());
		try (Stream<Path> runbooks = Files.list(Path.of("runbooks"))) {
			assertThat(runbooks.map(RulesTest::name).filter((name) -> Character.isUpperCase(name.charAt(0))))
				.isSubsetOf(used);
		}
	}

	@Test
	void dashboardsHaveAFixedUidADatasourceVariableAndLinksToEachOther() throws IOException {
		for (Path file : files("dashboards")) {
			Map<String, Object> dashboard = read(file);
			assertThat(dashboard.get("uid").toString()).isEqualTo("mailroom-" + name(file));
			assertThat(dashboard.get("tags")).isEqualTo(List.of("mailroom"));
			assertThat(dashboard.get("links").toString()).contains("type=dashboards");
			assertThat(part(dashboard, "templating").toString()).contains("type=datasource", "name=datasource");
			assertThat(Files.readString(file)).doesNotContain("\"uid\": \"prometheus\"")
				.as("links to the admin app name its address")
				.doesNotContain("\"url\": \"/");
		}
	}

	@Test
	void everyPanelSaysWhatIsNormal() throws IOException {
		for (Path file : files("dashboards")) {
			assertThat(list(read(file), "panels")).filteredOn((panel) -> !panel.get("type").equals("row"))
				.allSatisfy((panel) -> assertThat(panel.get("description")).as(file + ": " + panel.get("title"))
					.asString()
					.hasSizeGreaterThan(30));
		}
	}

	@Test
	void dashboardsOfProcessesShowSinglePods() throws IOException {
		for (String name : List.of("api", "delivery", "resources")) {
			String text = Files.readString(CHART.resolve("dashboards").resolve(name + ".json"));
			assertThat(list(part(new Yaml().load(text), "templating"), "list")).anySatisfy(
					(variable) -> assertThat(variable).containsEntry("name", "pod").containsEntry("allValue", ".*"));
			assertThat(text).contains("by (pod, instance)", "pod=~\\\"$pod\\\"");
		}
	}

	@Test
	void thePanelsOfADashboardHaveDifferentIdsAndDoNotOverlap() throws IOException {
		for (Path file : files("dashboards")) {
			Set<Object> taken = new HashSet<>();
			for (Map<String, Object> panel : list(read(file), "panels")) {
				assertThat(taken.add(panel.get("id"))).as(file + ": " + panel.get("title")).isTrue();
				Map<String, Object> grid = part(panel, "gridPos");
				for (int i = 0; i < number(grid, "w") * number(grid, "h"); i++) {
					int column = number(grid, "x") + i % number(grid, "w");
					int row = number(grid, "y") + i / number(grid, "w");
					assertThat(taken.add(column + "/" + row)).as(file + ": " + panel.get("title")).isTrue();
				}
			}
		}
	}

	private static int number(Map<String, Object> map, String key) {
		return (Integer) map.getOrDefault(key, 0);
	}

	@Test
	void promtoolAcceptsTheRulesAndTheirUnitTestsSucceed() throws Exception {
		assumeTrue(hasPromtool(),
				"SKIPPED: promtool is not installed (Debian package prometheus), the rules are not checked");
		promtool(ALERTS, "check", ALERTS);
		promtool(ALERTS.resolve("tests"), "test", ALERTS.resolve("tests"));
	}

	private static boolean hasPromtool() {
		return Stream.of(System.getenv("PATH").split(":"))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, "promtool")));
	}

	private static void promtool(Path directory, String verb, Path files) throws Exception {
		List<String> command = new ArrayList<>(List.of("promtool", verb, "rules"));
		try (Stream<Path> rules = Files.list(files)) {
			rules.filter((file) -> file.toString().endsWith(".yaml"))
				.map((file) -> file.getFileName().toString())
				.forEach(command::add);
		}
		Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
	}

	static Stream<Map<String, Object>> alerts() throws IOException {
		return rules().filter((rule) -> rule.containsKey("alert"));
	}

	private static Stream<Map<String, Object>> rules() throws IOException {
		List<Map<String, Object>> rules = new ArrayList<>();
		for (Path file : files("alerts")) {
			for (Map<String, Object> group : list(read(file), "groups")) {
				rules.addAll(list(group, "rules"));
			}
		}
		return rules.stream();
	}

	private static Set<String> dashboards() throws IOException {
		Set<String> uids = new TreeSet<>();
		for (Path file : files("dashboards")) {
			uids.add(read(file).get("uid").toString());
		}
		return uids;
	}

	private static String texts(Path directory) throws IOException {
		StringBuilder texts = new StringBuilder();
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.toList()) {
				texts.append(Files.readString(file));
			}
		}
		return texts.toString();
	}

	private static List<Path> files(String... directories) throws IOException {
		List<Path> files = new ArrayList<>();
		for (String directory : directories) {
			try (Stream<Path> found = Files.list(CHART.resolve(directory))) {
				found.filter(Files::isRegularFile).sorted().forEach(files::add);
			}
		}
		return files;
	}

	/** JSON is YAML as well. */
	private static Map<String, Object> read(Path file) throws IOException {
		return new Yaml().load(Files.readString(file));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> part(Map<String, Object> map, String key) {
		return (Map<String, Object>) map.get(key);
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(Map<String, Object> map, String key) {
		return (List<Map<String, Object>>) map.get(key);
	}

	private static String name(Path file) {
		return file.getFileName().toString().replaceAll("\\..*", "");
	}

}
