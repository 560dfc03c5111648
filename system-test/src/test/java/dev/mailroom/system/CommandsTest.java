package dev.mailroom.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.account.AuthenticatorApp;
import dev.mailroom.domain.TestDns;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Each command of the documents for operators and of the runbooks, run as it stands: by a
 * Bash, against a running standalone, with the client programs of this machine. Those of
 * kubectl reach an API server with the objects of the chart, and a command in a pod is
 * run here. The variables of <i>Before you begin</i> have values of the standalone.
 */
@ExtendWith(SharedMailroom.class)
class CommandsTest {

	private static final Path ROOT = Path.of("..");

	private static final Path OPERATIONS = ROOT.resolve("docs/operations.md");

	private static final Path JAR = ROOT.resolve("platform-api/target/platform-api-0.1.0-app.jar");

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	/**
	 * A block of shell commands, or a command in a sentence: of a known program, or one
	 * that has options.
	 */
	private static final Pattern COMMAND = Pattern.compile("^( *)```sh\\n(?<block>.*?)^ *```|^ *```.*?^ *```|"
			+ "`(?<span>(?:[A-Z_]+=\\S+ )*(?:(?:curl|kubectl|helm|psql|vacuumdb|dig|openssl|swaks|printf|java|docker|"
			+ "jq|graphql) [^`\\n]+|[a-z][\\w.-]* (?:[^`\\n]* )?-{1,2}[A-Za-z][^`\\n]*))`",
			Pattern.DOTALL | Pattern.MULTILINE);

	/** Commands that are not run, by how they begin, and the reason. */
	private static final Map<String, String> NOT_RUN = Map.ofEntries(
			Map.entry("mvn ", "builds or starts the product, which this test has done"),
			Map.entry("docker build ", "ImageTest follows the Dockerfiles without Docker"),
			Map.entry("java -cp platform-api.jar dev.mailroom.move.Move ", "CellsTest and MoveTest move accounts"),
			Map.entry("MAILROOM_DB_URL=… java -cp platform-api.jar ", "ImageTest migrates by this class"),
			Map.entry("java -cp platform-api.jar dev.mailroom.directory.",
					"CellsTest and DirectoryTest let cells join"),
			Map.entry("java -jar ", "PortsTest and others start the apps"),
			Map.entry("java -Djarmode=tools ", "ImageTest extracts the jar and migrates by this class"),
			Map.entry("helm ", "needs helm and a cluster; RunbookCommandsTest looks up its release, chart and options"),
			Map.entry("kubectl port-forward ", "tunnels SPDY; RunbookCommandsTest looks up its object and port"),
			Map.entry("kubectl debug ", "needs a node that starts a container"),
			Map.entry("kubectl cnpg ", "a plug-in of CloudNativePG, which needs its operator"),
			Map.entry("pg_basebackup ", "RestoreTest takes one; the client of the system may be older than the server"),
			Map.entry("pg_upgrade ", "needs the programs of two major versions"),
			Map.entry("swaks --server localhost:2587 ", "has a port that is another here; FirstMailTest submits mail"));

	/** Names of commands in sentences about them. */
	private static final Set<String> MENTIONS = Set.of("helm install", "helm upgrade", "helm rollback",
			"kubectl rollout undo");

	/** Lines of an incident, as the apps log them. */
	private static final String LOG = """
			WARN Not ready: The database is read-only
			WARN The mail of the probe was not delivered (late): accepted, and not delivered within 30 s
			""";

	/** Patterns of each command and of what its output has to contain. */
	private static final Map<String, String> EXPECTED = Map.ofEntries(
			Map.entry("api/auth/register", "\"id\":\"[0-9a-f-]{36}\",\"from\":\"Shop <hello@shop.test>\""),
			Map.entry("keyName: \"deployment\"", "ek_"), Map.entry("device_authorization", ""),
			Map.entry("/oauth/token", "authorization_pending"),
			Map.entry("localhost:8081/graphql", "\"accessToken\":\"ey"), Map.entry("^openssl rand", "^[\\w+/]{43}="),
			Map.entry("secret generic mailroom", "secret/mailroom created"),
			Map.entry("data.MAILROOM_OPERATOR_PASSWORD", "^a password$"),
			Map.entry("^unzip ", "\"bomFormat\" ?: ?\"CycloneDX\""), Map.entry("logged addresses", "^[0-9a-f]{12}$"),
			Map.entry("restart deployment -l",
					"mailroom-admin restarted[^$]*mailroom-api restarted[^$]*mailroom-worker restarted"),
			Map.entry("^kafka-configs.sh ", "Completed updating config for user mailroom2"),
			Map.entry("^vacuumdb ", "Generating default \\(full\\) optimizer statistics"),
			Map.entry("select count\\(\\*\\) from queue", "^ +\\d+$"),
			Map.entry("config set-context", "Context \"test\" modified"), Map.entry("^graphql\\(\\) ", ""),
			Map.entry("Password of", ""), Map.entry("read -rp 'Code: ' CODE", ""),
			Map.entry(">client.properties",
					"config=ScramLoginModule required;\\n[^$]*BEGIN CERTIFICATE-----\\\\n\\\\\\n"),
			Map.entry("rollout status deployment/mailroom-api", "successfully rolled out"),
			Map.entry("count by \\(application\\)", "platform-api"), Map.entry("type=alert", "^[5-9]\\d$"),
			Map.entry("MailroomDrill", "^person-on-call$"),
			Map.entry("get configmaps -l", "(?:mailroom-dashboard-\\S+ [^$]*){6}"),
			Map.entry("has_table_privilege", "^ f$"), Map.entry("auth can-i", "^yes$"),
			Map.entry("dispatcherActive", "\"dispatcherActive\":true"), Map.entry("pg_stat_archiver", "failed_count"),
			Map.entry("data.MAILROOM_MASTER_KEY", "^[0-9a-f]{64} "), Map.entry("max\\(version::int\\)", "^ +\\d+$"),
			Map.entry("created_at from event", "^ \\d{4}-"), Map.entry("_last_success_seconds\\)", "^\\d+(\\.\\d+)?$"),
			Map.entry("postmaster abuse", ""), Map.entry("dig \\+short MX", "mx.mailroom.test"),
			Map.entry("dig \\+short TXT", "v=spf1"), Map.entry("^dig \\+short -x", "out.mailroom.test"),
			Map.entry("^dig \\+short A ", "^192\\.0\\.2\\.1$"), Map.entry("openssl s_client", "notAfter="),
			Map.entry("show max_connections", "^ \\d+$"), Map.entry("inet_server_addr", "^ f "),
			Map.entry("restart deployment/mailroom-worker", "mailroom-worker restarted"),
			Map.entry("custom-columns='POD", "mailroom-worker-0 +1 +OOMKilled"),
			Map.entry("localhost:8090/actuator/health", "\"status\":\"UP\""),
			Map.entry("scale deployment/mailroom-api", "mailroom-api scaled"),
			Map.entry("scale deployment/mailroom-worker", "mailroom-worker scaled"),
			Map.entry("get backups.postgresql", "mailroom-db-20260131020000"),
			Map.entry("describe backups.postgresql", "Phase: +completed"),
			Map.entry("&& echo connected", "^connected$"), Map.entry("getent hosts", "localhost"),
			Map.entry("describe certificates", "Not After:"), Map.entry("^date -u", "UTC"),
			Map.entry("deadLetterList", "\"nodes\":\\[\\]"),
			Map.entry("operatorRequeueDeadLetters", "\"requeued\":\\{\"count\":0,\"more\":false\\}"),
			Map.entry("kafka-consumer-groups.sh", "mailroom-sender +mailroom.deliveries +0 "),
			Map.entry("get pods -l app.kubernetes.io/name=", "mailroom-api-0[^$]*mailroom-worker-0"),
			Map.entry("grep mailroom_schema_behind", "mailroom_schema_behind\\{.*} 0.0"),
			Map.entry("describe pod \"", "OOMKilled"), Map.entry("Not ready[|]database", "Not ready: "),
			Map.entry("get pods -l app.kubernetes.io/component=worker$", "mailroom-worker-0"),
			Map.entry("describe pods -l", "OOMKilled"),
			Map.entry("logs deployment/mailroom-worker --previous", "Mailroom is ready"),
			Map.entry("--previous --tail=50", "Mailroom is ready"),
			Map.entry("grep probe", "\\[pod/mailroom-worker-0/worker] .*probe"),
			Map.entry("API/domains", "HTTP/1.1 401"), Map.entry("zen.spamhaus.org", "127.0.0.2"),
			Map.entry("operatorResumeQueue", "\"paused\":false"), Map.entry("get jobs -l", "mailroom-migration"),
			Map.entry("component=migration --tail=-1", "Mailroom is ready"), Map.entry("-- df -h", "Filesystem"),
			Map.entry("operatorResumeAccount", "\"pausedReason\":null"),
			Map.entry("operatorSuspendAccount", "\"pausedReason\":\"blocked by a provider\""),
			Map.entry("id: \\\".ACCOUNT\\\"\\) \\{ transport", "\"transport\":null"), Map.entry("export/audit-log", ""),
			Map.entry("operatorChooseAccountTransport", "\"transport\":\"MX\""));

	/** Programs that a machine may lack, and the package of Debian that has them. */
	private static final Map<String, String> PROGRAMS = new TreeMap<>(
			Map.of("curl", "curl", "jq", "jq", "openssl", "openssl", "psql", "postgresql-client", "vacuumdb",
					"postgresql-client", "dig", "bind9-dnsutils", "kubectl", "kubernetes-client", "unzip", "unzip",
					"$PROMETHEUS", "prometheus", "$ALERTMANAGER", "prometheus-alertmanager"));

	@TempDir
	private static Path temporary;

	private static Mailroom mailroom;

	private static Cluster cluster;

	private static final Deque<AutoCloseable> parts = new ArrayDeque<>();

	private static final Map<String, String> environment = new HashMap<>();

	private static final Map<String, Integer> skipped = new TreeMap<>();

	private static int run;

	@BeforeAll
	static void start(SharedMailroom.Running shared) throws Exception {
		mailroom = shared.mailroom();
		fillDirectory();
		createRoles(shared.directory());
		Map<String, String> values = new TreeMap<>(
				Map.of("NAMESPACE", Cluster.NAMESPACE, "API", url("API") + "/api", "APP", url("Admin"), "OPERATOR",
						mailroom.word("Operator"), "MX", local("Inbound"), "SUBMISSION", local("Submission"), "DOMAIN",
						"mailroom.localhost", "SPF", "spf.mailroom.test", "KAFKA", local("Kafka")));
		values.putAll(Map.of("PGHOST", "localhost", "PGDATABASE", "mailroom", "PGUSER", "ann", "POD",
				"mailroom-worker-0", "ADDRESS", "192.0.2.1", "BACKUP", "mailroom-db-20260131020000", "REMOTE",
				"localhost", "REMOTE_PORT", Integer.toString(mailroom.port("SMTP")), "ACCOUNT", ""));
		values.putAll(Map.of("PROMETHEUS", prometheus(), "ALERTMANAGER", alertmanager()));
		assertThat(values.keySet()).isEqualTo(Pattern.compile("\\b([A-Z_]+)=")
			.matcher(block("export NAMESPACE"))
			.results()
			.map((name) -> name.group(1))
			.collect(Collectors.toSet()));
		environment.putAll(values);
		environment.put("MAILROOM_MASTER_KEY", Base64.getEncoder().encodeToString(new byte[32]));
	}

	private static String local(String port) {
		return "localhost:" + mailroom.port(port);
	}

	private static String url(String port) {
		return "http://" + local(port);
	}

	/** Home, tools and files of the commands. */
	private static void fillDirectory() throws IOException {
		TestDns dns = part(new TestDns(CommandsTest::reverse));
		dns.publish("MX", "mailroom.localhost", "mx.mailroom.test");
		dns.publish("TXT", "spf.mailroom.test", "v=spf1 ip4:192.0.2.1 -all");
		dns.publish("A", "1.2.0.192.zen.spamhaus.org", "127.0.0.2");
		dns.publish("A", "out.mailroom.test", "192.0.2.1");
		write(".digrc", "@" + dns.address().replace(":", " -p "));
		write(".curlrc", Stream.of("8080 API", "8081 Admin", "8025 Mailbox", "8090 Management")
			.map((port) -> port.split(" ", 2))
			.map((port) -> "connect-to = localhost:%s:localhost:%d\n".formatted(port[0], mailroom.port(port[1])))
			.collect(Collectors.joining()));
		write("state", "TOKEN=\n");
		for (String tool : List.of(
				"kafka-consumer-groups.sh org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
				"kafka-configs.sh kafka.admin.ConfigCommand")) {
			String[] words = tool.split(" ", 2);
			Files.setPosixFilePermissions(
					write("bin/" + words[0], "exec java -cp '%s' %s \"$@\"\n"
						.formatted(System.getProperty("java.class.path"), words[1])),
					PosixFilePermissions.fromString("rwx------"));
		}
		for (String directory : List.of("helm", "platform-api")) {
			Files.createSymbolicLink(temporary.resolve(directory), ROOT.resolve(directory).toRealPath());
		}
		environment.putAll(Map.of(
				"HOME", temporary.toString(), "PATH", temporary.resolve("bin") + ":"
						+ Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH"),
				"PGPORT", Integer.toString(mailroom.port("PostgreSQL"))));
		cluster = part(new Cluster(temporary, environment, mailroom.output() + "\n" + LOG));
		environment.put("KUBECONFIG", cluster.configuration().toString());
	}

	private static <T extends AutoCloseable> T part(T part) {
		parts.addFirst(part);
		return part;
	}

	private static List<Record> reverse(Name name) {
		try {
			return name.toString().equals("1.2.0.192.in-addr.arpa.")
					? List.of(new PTRRecord(name, DClass.IN, 1, Name.fromString("out.mailroom.test."))) : List.of();
		}
		catch (TextParseException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Path write(String file, String text) throws IOException {
		Path path = temporary.resolve(file);
		Files.createDirectories(path.getParent());
		return Files.writeString(path, text);
	}

	/** Runs the statements by which a person gets a role. */
	private static void createRoles(Path directory) throws IOException, SQLException {
		String password = Files.readString(directory.resolve("data/secrets/postgres-superuser")).strip();
		String script = block("create role ann").replaceAll("(?m)^\\\\.*$", "");
		try (Connection connection = DriverManager.getConnection(
				"jdbc:postgresql://127.0.0.1:" + mailroom.port("PostgreSQL") + "/mailroom", "postgres", password);
				Statement statement = connection.createStatement()) {
			statement.execute(script + "alter role ann password 'test'");
		}
		Files.setPosixFilePermissions(write(".pgpass", "*:*:*:ann:test\n*:*:*:postgres:" + password + "\n"),
				PosixFilePermissions.fromString("rw-------"));
	}

	/** The block of docs/operations.md that begins with a text. */
	private static String block(String begin) throws IOException {
		String page = Files.readString(OPERATIONS);
		int from = page.indexOf("\n" + begin) + 1;
		return page.substring(from, page.indexOf("```", from));
	}

	private static String prometheus() throws Exception {
		if (!isInstalled("prometheus")) {
			return "";
		}
		Path configuration = write("prometheus.yml", """
				global: {scrape_interval: 1s, evaluation_interval: 1s}
				rule_files: ["%s/helm/alerts/*.yaml"]
				scrape_configs:
				  - job_name: mailroom
				    metrics_path: /actuator/prometheus
				    static_configs: [{targets: ["%s"]}]
				  - job_name: probe
				    static_configs: [{targets: ["%s"]}]
				""".formatted(ROOT.toRealPath(), local("Management"), cluster.address()));
		String url = server("prometheus", "--config.file=" + configuration,
				"--storage.tsdb.path=" + temporary.resolve("tsdb"));
		try (Web web = new Web(Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)))) {
			Await.until("the standalone is scraped", TIMEOUT,
					() -> web.get("/api/v1/query?query=count(mailroom_ready)").body().contains("\"3\""));
		}
		return url;
	}

	private static String alertmanager() throws Exception {
		return isInstalled("prometheus-alertmanager") ? server("prometheus-alertmanager",
				"--config.file=" + write("alertmanager.yml",
						"{route: {receiver: person-on-call}, receivers: [{name: person-on-call}]}"),
				"--storage.path=" + temporary.resolve("alerts"), "--cluster.listen-address=") : "";
	}

	/** Starts a server and returns its address when it is ready. */
	private static String server(String... command) throws Exception {
		int port = freePort();
		List<String> all = new ArrayList<>(List.of(command));
		all.add("--web.listen-address=127.0.0.1:" + port);
		Process process = new ProcessBuilder(all).redirectErrorStream(true)
			.redirectOutput(temporary.resolve(command[0] + ".log").toFile())
			.start();
		part(() -> process.destroyForcibly().waitFor());
		try (Web web = new Web(port)) {
			Await.until(command[0] + " is ready", TIMEOUT, () -> isReady(web));
		}
		return "http://localhost:" + port;
	}

	private static boolean isReady(Web web) throws InterruptedException {
		try {
			return web.get("/-/ready").status() == 200;
		}
		catch (IOException _) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

	private static boolean isInstalled(String program) {
		return Stream.of(System.getenv("PATH").split(":"))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
	}

	@AfterAll
	static void stop() throws Exception {
		System.out.printf("Commands of the documents: %d were run, %d not, for lack of a program: %s%n", run,
				skipped.values().stream().mapToInt(Integer::intValue).sum(), skipped);
		for (AutoCloseable part : parts) {
			part.close();
		}
	}

	static List<Command> commands() throws IOException {
		List<Path> pages = new ArrayList<>(Stream
			.of("README.md", "docs/credentials.md", "docs/graphql.md", "docs/configuration.md", "docs/sandbox.md",
					"docs/guarantees.md", "docs/scaling.md", "docs/campaigns.md", "docs/queue.md", "docs/operations.md")
			.map(ROOT::resolve)
			.toList());
		try (Stream<Path> runbooks = Files.list(ROOT.resolve("observability/runbooks"))) {
			runbooks.sorted().forEach(pages::add);
		}
		return pages.stream().flatMap(CommandsTest::commands).toList();
	}

	/** The commands that can be run, each once. */
	static Collection<Command> runnable() throws IOException {
		Map<String, Command> runnable = new LinkedHashMap<>();
		for (Command command : commands()) {
			if (NOT_RUN.keySet().stream().noneMatch(command.text()::startsWith)) {
				runnable.putIfAbsent(command.text(), command);
			}
		}
		return runnable.values();
	}

	private static Stream<Command> commands(Path page) {
		try {
			return COMMAND.matcher(Files.readString(page))
				.results()
				.filter((match) -> match.group("block") != null || match.group("span") != null)
				.map((match) -> new Command(page.getFileName().toString(),
						(match.group("block") == null) ? match.group("span")
								: match.group("block").replaceAll("(?m)^" + match.group(1), "").strip()))
				.filter((command) -> !MENTIONS.contains(command.text()) && !command.text().startsWith("export "));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("runnable")
	void everyCommandSucceedsAndShowsWhatItsPageSays(Command command) throws Exception {
		String reason = missing(command.text());
		if (!reason.isEmpty()) {
			skipped.merge(reason, 1, Integer::sum);
		}
		assumeTrue(reason.isEmpty(), "SKIPPED: " + reason);
		List<String> expected = EXPECTED.entrySet()
			.stream()
			.filter((entry) -> Pattern.compile(entry.getKey()).matcher(command.text()).find())
			.map(Map.Entry::getValue)
			.toList();
		assertThat(expected).as("expectations of " + command.text()).hasSize(1);
		assertThat(run(command.text())).as(command.text())
			.containsPattern(Pattern.compile(expected.getFirst(), Pattern.MULTILINE));
		if (command.text().contains("postmaster")) {
			awaitForwarded();
		}
		run++;
	}

	private static void awaitForwarded() {
		try (Web mailbox = new Web(mailroom.port("Mailbox"))) {
			Await.until("mail to postmaster and abuse is forwarded to the operator", TIMEOUT,
					() -> mailbox.get("/messages?to=" + mailroom.word("Operator"))
						.body()
						.split("drill", -1).length > 2);
		}
	}

	@Test
	void everyReasonAndExpectationBelongsToACommand() throws IOException {
		List<String> texts = commands().stream().map(Command::text).toList();
		assertThat(NOT_RUN.keySet())
			.allSatisfy((begin) -> assertThat(texts).anyMatch((text) -> text.startsWith(begin)));
		assertThat(EXPECTED.keySet())
			.allSatisfy((part) -> assertThat(texts).anyMatch((text) -> Pattern.compile(part).matcher(text).find()));
	}

	/** The reason why this machine cannot run a command; empty if it can. */
	private static String missing(String text) {
		for (Map.Entry<String, String> program : PROGRAMS.entrySet()) {
			String name = program.getKey();
			boolean used = Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])").matcher(text).find()
					|| (text.startsWith("graphql ") && List.of("curl", "jq").contains(name));
			if (used && !isInstalled(name.startsWith("$") ? program.getValue() : name)) {
				return "needs the package " + program.getValue() + " of Debian";
			}
		}
		return (text.startsWith("unzip ") && !Files.exists(JAR)) ? "needs " + JAR + " (mvn package)" : "";
	}

	/**
	 * Signs in to the account of the README, which gets a second factor, in place of the
	 * operator.
	 * @return a recovery code
	 */
	private static String signInWithSecondFactor() throws Exception {
		String login = "{\"email\": \"you@example.test\", \"password\": \"correct horse battery\"}";
		try (Web api = new Web(mailroom.port("API"))) {
			api.use(api.post("/api/auth/login", login).json(200).at("/data/access_token").asString());
			String secret = api.post("/api/auth/totp", "{}").json(200).at("/data/secret").asString();
			String code = AuthenticatorApp.of(secret).code(Instant.now());
			JsonNode confirmed = api.post("/api/auth/totp/confirm", "{\"code\": \"" + code + "\"}").json(200);
			api.use("");
			write("state", "login='" + api.post("/api/auth/login", login).json(401) + "'\nTOKEN=\n");
			return confirmed.at("/data/recovery_codes/0").asString();
		}
	}

	private static String run(String text) throws Exception {
		if (!text.contains("CODE")) {
			return run(text, mailroom.word("Password"));
		}
		String state = Files.readString(temporary.resolve("state"));
		String shown = run(text, signInWithSecondFactor());
		assertThat(Files.readString(temporary.resolve("state"))).contains("TOKEN=\"ey");
		write("state", state);
		return shown;
	}

	private static String run(String text, String typed) throws Exception {
		write("client.properties", "");
		Path output = temporary.resolve("output");
		ProcessBuilder bash = new ProcessBuilder("bash", "-euc",
				". ./state\n" + block("graphql() {") + "\n" + text
						+ "\ndeclare -p $(compgen -v | grep -E '^([a-z][a-z_]*|TOKEN)$') >state\n")
			.directory(temporary.toFile())
			.redirectInput(write("typed", typed + "\n").toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile());
		environment.put("ACCOUNT", account());
		bash.environment().putAll(environment);
		if (text.startsWith("vacuumdb ")) {
			bash.environment().put("PGUSER", "postgres");
		}
		Process process = bash.start();
		if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
			process.descendants().forEach(ProcessHandle::destroyForcibly);
			process.destroyForcibly();
		}
		String shown = Files.readString(output, StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(text + "\n" + shown).isZero();
		return shown + Files.readString(temporary.resolve("client.properties"));
	}

	/** Id of the account that the README registers. */
	private static String account() throws IOException, SQLException {
		try (Connection connection = DriverManager
			.getConnection("jdbc:postgresql://127.0.0.1:" + mailroom.port("PostgreSQL") + "/mailroom", "ann", "test");
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select id from account where email = 'you@example.test'")) {
			return rows.next() ? rows.getString(1) : "";
		}
	}

	/** A command of a page. */
	record Command(String page, String text) {

		@Override
		public String toString() {
			return this.page + ": " + this.text.lines().findFirst().orElse("");
		}

	}

}
