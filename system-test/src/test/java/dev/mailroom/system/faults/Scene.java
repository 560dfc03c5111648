package dev.mailroom.system.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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

import dev.mailroom.api.PlatformApi;
import dev.mailroom.system.Database;
import dev.mailroom.system.Tenant;
import dev.mailroom.worker.DeliveryWorker;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * An API and a worker as processes of their own, over one PostgreSQL, one broker and one
 * scripted server, with the queue's times cut short.
 */
final class Scene implements AutoCloseable {

	private static final String NAME = "faults";

	/**
	 * Seconds that a lease lasts; all other times go by it. A machine that is busy with
	 * other things needs more: {@code -Dfaults.lease=20}.
	 */
	private static final int LEASE = Integer.getInteger("faults.lease", 4);

	/** What was started last comes first. */
	private final Deque<AutoCloseable> parts = new ArrayDeque<>();

	private final Database database;

	private Connection connection;

	private final Broker broker;

	private final Topic topic;

	private final Sink sink;

	private final Names names;

	private @Nullable PostfixSink postfix;

	private final Victim api;

	private final Victim worker;

	private final Tenant tenant;

	/**
	 * Starts all of it.
	 * @param hasReserve whether a program that dies has the next one at hand
	 */
	Scene(Path directory, boolean hasReserve) throws Exception {
		LoggingSystem.get(Scene.class.getClassLoader()).setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.ERROR);
		try (ExecutorService starts = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<Broker> starting = starts.submit(() -> part(new Broker(directory)));
			this.names = part(new Names());
			this.sink = part(new Sink());
			letPostfixTake(directory);
			this.database = part(new Database(directory));
			String url = this.database.furnish(NAME);
			this.connection = this.database.connect(NAME);
			this.broker = starting.get();
			this.topic = new Topic(this.broker.bootstrap());
			Map<String, String> common = Map.of("MAILROOM_DB_URL", url, "MAILROOM_DB_USER", Database.APP,
					"MAILROOM_MASTER_KEY", Base64.getEncoder().encodeToString(new byte[32]));
			Future<Victim> second = starts.submit(() -> part(
					new Victim(DeliveryWorker.class, hasReserve, directory, with(common, workerSettings()))));
			this.api = part(new Victim(PlatformApi.class, hasReserve, directory, with(common, apiSettings())));
			this.worker = second.get();
			this.tenant = Tenant.in(this.api.program(), this.database, NAME, "sender.test");
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

	/** Without Postfix the scripted server stands in for it. */
	private void letPostfixTake(Path directory) throws IOException {
		if (PostfixSink.isInstalled()) {
			this.postfix = part(new PostfixSink(directory, this.sink.port()));
		}
		else {
			this.sink.bind(PostfixSink.HOST, this.sink.port());
		}
	}

	/** By which way mail leaves from now on. */
	void go(Way way) throws SQLException {
		this.database.run(NAME, "update domain set transport = " + way.choice());
	}

	/** By recipient of this run, what each copy was that this one was given, wherever. */
	Map<String, List<Integer>> copies(String run) {
		Map<String, List<Integer>> copies = new HashMap<>(this.sink.copies());
		if (this.postfix != null) {
			copies.putAll(this.postfix.copies());
		}
		copies.keySet().removeIf((recipient) -> !recipient.startsWith(run));
		return copies;
	}

	/**
	 * Lets all that a dead worker held run out, as if the time had passed that it held it
	 * for: its leases by the queue's clock, and its place in the group by the broker's.
	 */
	void holdNothingForTheDead() throws Exception {
		this.database.run(NAME, "update delivery set lease_until = now() where lease_until is not null");
		this.topic.forgetMembers();
	}

	private static Map<String, String> apiSettings() {
		return Map.of("MAILROOM_DEFAULT_PLAN", "unlimited", "MAILROOM_OPERATOR_EMAIL", Tenant.EMAIL,
				"MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD, "MAILROOM_RATE_LIMIT_ENABLED", "false");
	}

	private Map<String, String> workerSettings() {
		return Map.ofEntries(Map.entry("MAILROOM_KAFKA_BOOTSTRAP", this.broker.bootstrap()),
				Map.entry("MAILROOM_KAFKA_SESSION_TIMEOUT", "6000"), Map.entry("MAILROOM_RELAY_HOST", "127.0.0.1"),
				Map.entry("MAILROOM_RELAY_PORT", Integer.toString(this.sink.port())),
				Map.entry("MAILROOM_DNS_SERVERS", this.names.address()),
				Map.entry("MAILROOM_MX_PORT", Integer.toString(this.sink.port())),
				Map.entry("MAILROOM_MX_PRIVATE_ADDRESSES", "true"), Map.entry("MAILROOM_MX_BREAK", "1s"),
				Map.entry("MAILROOM_MX_REPLY_TIMEOUT", quarters(3)), Map.entry("MAILROOM_MX_DOT_TIMEOUT", quarters(3)),
				Map.entry("MAILROOM_RELAY_FINAL", "true"), Map.entry("MAILROOM_LEASE", quarters(4)),
				// No more than is worked off while so short a lease lasts.
				Map.entry("MAILROOM_DISPATCH_WINDOW", "400"), Map.entry("MAILROOM_DATA_LEASE", quarters(9)),
				Map.entry("MAILROOM_SEND_BEGIN_WITHIN", quarters(2)),
				Map.entry("MAILROOM_RELAY_REPLY_TIMEOUT", quarters(3)),
				Map.entry("MAILROOM_RELAY_DOT_TIMEOUT", quarters(3)),
				Map.entry("MAILROOM_RETRY_DELAYS", "1s,1s,1s,1s,1s,1s,1s,1s,1s,10h"));
	}

	/** So many quarters of a lease. */
	private static String quarters(int many) {
		return 250 * LEASE * many + "ms";
	}

	private static Map<String, String> with(Map<String, String> settings, Map<String, String> more) {
		Map<String, String> all = new HashMap<>(settings);
		all.putAll(more);
		return all;
	}

	/** The rows that a query finds, each column as text. */
	List<List<String>> rows(String sql) throws SQLException {
		if (!this.connection.isValid(1)) {
			this.connection = this.database.connect(NAME);
		}
		List<List<String>> rows = new ArrayList<>();
		try (Statement statement = this.connection.createStatement(); ResultSet found = statement.executeQuery(sql)) {
			while (found.next()) {
				List<String> row = new ArrayList<>();
				for (int column = 1; column <= found.getMetaData().getColumnCount(); column++) {
					row.add(found.getString(column));
				}
				rows.add(row);
			}
		}
		return rows;
	}

	/** Starts again what a test that failed has left dead. */
	void mend() throws Exception {
		this.api.revive();
		this.worker.revive();
	}

	Victim api() {
		return this.api;
	}

	Victim worker() {
		return this.worker;
	}

	Sink sink() {
		return this.sink;
	}

	Database database() {
		return this.database;
	}

	Broker broker() {
		return this.broker;
	}

	Topic topic() {
		return this.topic;
	}

	Tenant tenant() {
		return this.tenant;
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable part : this.parts) {
			part.close();
		}
	}

}
