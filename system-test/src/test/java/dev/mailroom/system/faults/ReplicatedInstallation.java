package dev.mailroom.system.faults;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
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
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.api.PlatformApi;
import dev.mailroom.process.Broker;
import dev.mailroom.process.ClassArchive;
import dev.mailroom.process.Database;
import dev.mailroom.process.PostgresServers;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import dev.mailroom.worker.DeliveryWorker;

/**
 * An API and a worker in separate processes with several PostgreSQL servers, a broker, a
 * scripted SMTP server and a receiver of webhook calls for delivered mail. The apps
 * require that a standby has stored each commit.
 */
final class ReplicatedInstallation implements Testbed {

	static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	/** Name of the database. */
	static final String NAME = "failover";

	/** Limits after which a server that does not respond is left. */
	private static final Map<String, String> SHORT_LIMITS = Map.of("MAILROOM_DATABASE_CONNECT_TIMEOUT", "6s",
			"MAILROOM_DATABASE_ACCEPTING_TIMEOUT", "4s", "MAILROOM_DB_STATEMENT_TIMEOUT", "8s");

	/** Seconds of a lease. */
	private static final int LEASE = 4;

	/** In the reverse order of their start. */
	private final Deque<AutoCloseable> parts = new ArrayDeque<>();

	private Path directory;

	private final ScriptedSmtpServer smtp = part(new ScriptedSmtpServer());

	private final PostgresServers database;

	private Broker broker;

	private Program api;

	private Program worker;

	private final Tenant tenant;

	/** Events of the webhook calls. */
	private final Queue<String> called = new ConcurrentLinkedQueue<>();

	/**
	 * Starts all parts.
	 * @param servers starts the servers with the database, the schema and its roles
	 */
	ReplicatedInstallation(Path directory, Callable<? extends PostgresServers> servers) throws Exception {
		this.directory = directory;
		try (ExecutorService starts = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<Broker> starting = starts.submit(() -> part(new Broker(directory)));
			this.database = part(servers.call());
			this.broker = starting.get();
			Future<Program> second = starts.submit(this::startWorker);
			this.api = startApi();
			this.worker = second.get();
			this.tenant = Tenant.in(this.api, this.database, NAME, "sender.test");
			receiveWebhookCalls();
		}
		catch (Exception | AssertionError ex) {
			close();
			throw ex;
		}
	}

	private Program startWorker() throws Exception {
		return program(DeliveryWorker.class, ShortLeases.settings(LEASE, this.broker.bootstrap(), this.smtp.port()));
	}

	private Program startApi() throws Exception {
		return program(PlatformApi.class, Map.of("MAILROOM_DEFAULT_PLAN", "unlimited", "MAILROOM_OPERATOR_EMAIL",
				Tenant.EMAIL, "MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD, "MAILROOM_RATE_LIMIT_ENABLED", "false"));
	}

	/**
	 * Starts an API, a worker and a broker without data in place of those that ended with
	 * their region.
	 */
	void startStandbyCell() throws Exception {
		this.directory = Files.createDirectory(this.directory.resolve("standby-cell"));
		this.broker = part(new Broker(this.directory));
		this.worker = startWorker();
		this.api = startApi();
	}

	private void receiveWebhookCalls() throws Exception {
		HttpServer hooks = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		hooks.createContext("/", (call) -> {
			this.called.add(call.getRequestHeaders().getFirst("webhook-id"));
			call.sendResponseHeaders(204, -1);
			call.close();
		});
		hooks.start();
		part(() -> hooks.stop(0));
		try (Web web = signedIn()) {
			web.post("/api/webhooks/endpoints", "{\"url\": \"http://localhost:%d/\", \"events\": [\"email.delivered\"]}"
				.formatted(hooks.getAddress().getPort())).json(201);
		}
	}

	/** A client of the API with the access token of the tenant. */
	Web signedIn() throws Exception {
		Web web = new Web(this.api.apiPort());
		web.use(web
			.post("/api/auth/login",
					"{\"email\": \"%s\", \"password\": \"%s\"}".formatted(Tenant.EMAIL, Tenant.PASSWORD))
			.json(200)
			.at("/data/access_token")
			.stringValue());
		return web;
	}

	/** Waits until an endpoint was called for each delivered mail. */
	void awaitWebhookCalls() throws Exception {
		List<String> events = rows("select id from event where kind = 'email.delivered'").stream()
			.map(List::getFirst)
			.toList();
		Await.until("each event was called", TIMEOUT, () -> this.called.containsAll(events));
		System.out.printf("%d events, %d webhook calls%n", events.size(), this.called.size());
	}

	private synchronized <T extends AutoCloseable> T part(T part) {
		this.parts.addFirst(part);
		return part;
	}

	private Program program(Class<?> main, Map<String, String> settings) throws Exception {
		Map<String, String> all = new HashMap<>(settings);
		all.putAll(SHORT_LIMITS);
		all.putAll(Map.of("MAILROOM_DB_URL", this.database.url(NAME), "MAILROOM_DB_USER", Database.APP,
				"MAILROOM_DB_SYNC_REPLICAS", "1", "MAILROOM_MASTER_KEY",
				Base64.getEncoder().encodeToString(new byte[32]), "MAILROOM_DNS_SERVERS", "127.0.0.1:1",
				"MAILROOM_DRAIN_TIMEOUT", DRAIN_TIMEOUT.toSeconds() + "s", "MAILROOM_WEBHOOK_LOOPBACK", "true"));
		List<String> jvm = new ArrayList<>(ClassArchive.options());
		jvm.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx400m"));
		Program program = new Program(main, this.directory.resolve(main.getSimpleName() + ".log"), jvm, all);
		part(program::kill);
		return program;
	}

	@Override
	public List<Program> apis() {
		return List.of(this.api);
	}

	List<Program> all() {
		return List.of(this.api, this.worker);
	}

	Broker broker() {
		return this.broker;
	}

	@Override
	public Tenant tenant() {
		return this.tenant;
	}

	@Override
	public ScriptedSmtpServer smtp() {
		return this.smtp;
	}

	@Override
	public List<List<String>> rows(String sql) throws SQLException {
		return this.database.rows(NAME, sql);
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable part : this.parts) {
			part.close();
		}
	}

}
