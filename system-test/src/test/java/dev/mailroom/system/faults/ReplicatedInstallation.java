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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.api.PlatformApi;
import dev.mailroom.process.Broker;
import dev.mailroom.process.ClassArchive;
import dev.mailroom.process.Database;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.worker.DeliveryWorker;

/**
 * An API and a worker in separate processes with three PostgreSQL servers, a broker and a
 * scripted SMTP server. The apps require that a standby has stored each commit.
 */
final class ReplicatedInstallation implements Testbed {

	static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);

	private static final String NAME = "failover";

	/** Limits after which a server that does not respond is left. */
	private static final Map<String, String> SHORT_LIMITS = Map.of("MAILROOM_DATABASE_CONNECT_TIMEOUT", "6s",
			"MAILROOM_DATABASE_ACCEPTING_TIMEOUT", "4s", "MAILROOM_DB_STATEMENT_TIMEOUT", "8s");

	/** Seconds of a lease. */
	private static final int LEASE = 4;

	/** In the reverse order of their start. */
	private final Deque<AutoCloseable> parts = new ArrayDeque<>();

	private final Path directory;

	private final ScriptedSmtpServer smtp = part(new ScriptedSmtpServer());

	private final ReplicatedDatabase database;

	private final Broker broker;

	private final Program api;

	private final Program worker;

	private final Tenant tenant;

	/** Starts all parts. */
	ReplicatedInstallation(Path directory) throws Exception {
		this.directory = directory;
		try (ExecutorService starts = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<Broker> starting = starts.submit(() -> part(new Broker(directory)));
			this.database = part(new ReplicatedDatabase(directory, NAME));
			this.broker = starting.get();
			Future<Program> second = starts.submit(() -> program(DeliveryWorker.class,
					ShortLeases.settings(LEASE, this.broker.bootstrap(), this.smtp.port())));
			this.api = program(PlatformApi.class,
					Map.of("MAILROOM_DEFAULT_PLAN", "unlimited", "MAILROOM_OPERATOR_EMAIL", Tenant.EMAIL,
							"MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD, "MAILROOM_RATE_LIMIT_ENABLED", "false"));
			this.worker = second.get();
			this.tenant = Tenant.in(this.api, this.database.primary(), NAME, "sender.test");
		}
		catch (Exception | AssertionError ex) {
			close();
			throw ex;
		}
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

	ReplicatedDatabase database() {
		return this.database;
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
		return this.database.primary().rows(NAME, sql);
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable part : this.parts) {
			part.close();
		}
	}

}
