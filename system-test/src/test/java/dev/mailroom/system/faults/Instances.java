package dev.mailroom.system.faults;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.admin.TenantAdmin;
import dev.mailroom.api.PlatformApi;
import dev.mailroom.process.Broker;
import dev.mailroom.process.ClassArchive;
import dev.mailroom.process.Database;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import dev.mailroom.worker.DeliveryWorker;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two APIs, two workers and the admin app in separate processes, with one PostgreSQL,
 * three brokers and a scripted SMTP server.
 */
final class Instances implements Testbed {

	private static final String NAME = "instances";

	private static final List<String> JVM = List.of("-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC",
			"-XX:TieredStopAtLevel=1", "-Xmx400m");

	private static final int BROKERS = 3;

	/** Seconds of a lease: none expires while programs start on a busy machine. */
	private static final int LEASE = 8;

	/** Requests per second and burst of an account without limits of its own. */
	static final int RATE = 1_000;

	static final int BURST = 5_000;

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	/** In the reverse order of their start. */
	private final Deque<AutoCloseable> parts = new ArrayDeque<>();

	private final Path directory;

	private final Function<Class<?>, Optional<Path>> packaged;

	private final ScriptedSmtpServer smtp = part(new ScriptedSmtpServer());

	private final Database database;

	private final List<Broker> brokers;

	private final Topic topic;

	/** Settings of all programs. */
	private final Map<String, String> common;

	private final List<Program> apis;

	private final List<Program> workers;

	private final Program admin;

	private final Tenant tenant;

	/** Starts all parts. */
	Instances(Path directory) throws Exception {
		this(directory, (_) -> Optional.empty());
	}

	/**
	 * Starts all parts with the current schema.
	 * @param packaged the jar to start in place of an app; empty for the app under test
	 */
	Instances(Path directory, Function<Class<?>, Optional<Path>> packaged) throws Exception {
		this.directory = directory;
		this.packaged = packaged;
		try (ExecutorService starts = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<List<Broker>> starting = starts.submit(() -> Broker.cluster(directory, BROKERS));
			this.database = part(new Database(directory));
			String url = this.database.furnish(NAME);
			this.common = Map.of("MAILROOM_DB_URL", url, "MAILROOM_DB_USER", Database.APP, "MAILROOM_MASTER_KEY",
					Base64.getEncoder().encodeToString(new byte[32]), "MAILROOM_DNS_SERVERS", "127.0.0.1:1");
			this.brokers = starting.get();
			this.brokers.forEach(this::part);
			String bootstrap = this.brokers.stream().map(Broker::bootstrap).collect(Collectors.joining(","));
			this.topic = new Topic(bootstrap);
			List<Future<Program>> apis = List.of(starts.submit(() -> api("api-1")), starts.submit(() -> api("api-2")));
			List<Future<Program>> workers = List.of(starts.submit(() -> worker("worker-1", bootstrap)),
					starts.submit(() -> worker("worker-2", bootstrap)));
			this.admin = program(TenantAdmin.class, "admin", Map.of("SPRING_AUTOCONFIGURE_EXCLUDE", ""));
			this.apis = results(apis);
			this.workers = results(workers);
			Await.until("the operator exists", TIMEOUT,
					() -> !rows("select id from account where email = '" + Tenant.EMAIL + "'").isEmpty());
			this.tenant = Tenant.in(this.apis.getFirst(), this.database, NAME, "sender.test");
		}
		catch (Exception | AssertionError ex) {
			close();
			throw ex;
		}
	}

	private static List<Program> results(List<Future<Program>> starts) throws Exception {
		List<Program> programs = new ArrayList<>();
		for (Future<Program> start : starts) {
			programs.add(start.get());
		}
		return programs;
	}

	private synchronized <T extends AutoCloseable> T part(T part) {
		this.parts.addFirst(part);
		return part;
	}

	private Program api(String name) throws Exception {
		return program(PlatformApi.class, name,
				Map.of("MAILROOM_DEFAULT_PLAN", "unlimited", "MAILROOM_OPERATOR_EMAIL", Tenant.EMAIL,
						"MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD, "MAILROOM_RATE_LIMIT_SENDS",
						Integer.toString(RATE), "MAILROOM_RATE_LIMIT_SEND_BURST", Integer.toString(BURST),
						"MAILROOM_RATE_LIMIT_OTHERS", Integer.toString(RATE), "MAILROOM_RATE_LIMIT_OTHER_BURST",
						Integer.toString(BURST)));
	}

	private Program worker(String name, String bootstrap) throws Exception {
		Map<String, String> settings = new HashMap<>(ShortLeases.settings(LEASE, bootstrap, this.smtp.port()));
		settings.put("MAILROOM_HELO_NAME", name);
		settings.put("MAILROOM_DISPATCH_REPLICATION", Integer.toString(BROKERS));
		return program(DeliveryWorker.class, name, settings);
	}

	private Program program(Class<?> main, String name, Map<String, String> settings) throws Exception {
		Map<String, String> all = new HashMap<>(this.common);
		all.putAll(settings);
		Path log = this.directory.resolve(name + ".log");
		Optional<Path> jar = this.packaged.apply(main);
		Program program = jar.isEmpty() ? new Program(main, log, jvm(), all)
				: new Program(log, Stream.concat(JVM.stream(), Stream.of("-jar", jar.get().toString())).toList(), all);
		part(program::kill);
		return program;
	}

	private static List<String> jvm() {
		return Stream.concat(ClassArchive.options().stream(), JVM.stream()).toList();
	}

	/** Replaces a packaged program by the app under test, from its next start on. */
	void replace(Program program) {
		Class<?> main = this.apis.contains(program) ? PlatformApi.class
				: (this.workers.contains(program) ? DeliveryWorker.class : TenantAdmin.class);
		program.replace(main, jvm());
	}

	/** Starts again what a test has killed. */
	void restore() throws Exception {
		for (Broker broker : this.brokers) {
			if (!broker.isAlive()) {
				broker.start();
			}
		}
		for (Program program : all()) {
			if (!program.isAlive()) {
				program.start();
			}
		}
	}

	@Override
	public List<Program> apis() {
		return this.apis;
	}

	List<Program> workers() {
		return this.workers;
	}

	Program admin() {
		return this.admin;
	}

	/** The programs in the order of a rolling restart. */
	List<Program> all() {
		return Stream.of(this.apis, this.workers, List.of(this.admin)).flatMap(List::stream).toList();
	}

	/** The broker with an id. */
	Broker broker(int id) {
		return this.brokers.get(id - 1);
	}

	Topic topic() {
		return this.topic;
	}

	@Override
	public ScriptedSmtpServer smtp() {
		return this.smtp;
	}

	@Override
	public Tenant tenant() {
		return this.tenant;
	}

	/** The workers with an active dispatcher. */
	List<Program> dispatching() throws Exception {
		List<Program> active = new ArrayList<>();
		for (Program worker : this.workers) {
			if (worker.isAlive() && worker.metric("mailroom_dispatcher_active") == 1) {
				active.add(worker);
			}
		}
		return active;
	}

	/** Sets limits of an account through the admin app. */
	void limit(String account, String limits) throws Exception {
		JsonMapper json = JsonMapper.shared();
		try (Web api = new Web(this.apis.getFirst().apiPort()); Web web = new Web(this.admin.apiPort())) {
			String login = json.writeValueAsString(Map.of("email", Tenant.EMAIL, "password", Tenant.PASSWORD));
			web.use(api.post("/api/auth/login", login).json(200).at("/data/access_token").stringValue());
			String mutation = """
					mutation { operatorSetAccountLimits(input: { account: "%s", %s, reason: "test" }) \
					{ account { id } userErrors { message } } }""".formatted(account, limits);
			JsonNode result = web.post("/graphql", json.writeValueAsString(Map.of("query", mutation))).json(200);
			if (!result.at("/data/operatorSetAccountLimits/account/id").asString("").equals(account)) {
				throw new AssertionError("The limits were not set: " + result);
			}
		}
	}

	/** Registers another account. */
	Tenant anotherTenant(String domain) throws Exception {
		return Tenant.another(this.apis.getFirst(), this.database, NAME, domain);
	}

	@Override
	public List<List<String>> rows(String sql) throws SQLException {
		return this.database.rows(NAME, sql);
	}

	/** Number of copies of a run by the name of the worker that sent them. */
	Map<String, Long> copiesByWorker(String run) {
		return this.smtp.mails()
			.stream()
			.filter((mail) -> mail.rcptTo().startsWith(run))
			.collect(Collectors.groupingBy(ScriptedSmtpServer.Mail::client, TreeMap::new, Collectors.counting()));
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable part : this.parts) {
			part.close();
		}
	}

}
