package dev.mailroom.system.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.mailroom.api.PlatformApi;
import dev.mailroom.system.Database;
import dev.mailroom.system.Tenant;
import dev.mailroom.worker.DeliveryWorker;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * An API and a worker as processes of their own, over one PostgreSQL, one broker and one
 * scripted server, with the queue's times cut short.
 */
final class Scene implements AutoCloseable {

	private static final String NAME = "faults";

	private final Database database;

	private Connection connection;

	private final Broker broker;

	private final Topic topic;

	private final Sink sink;

	private final Names names = new Names();

	private final Optional<PostfixSink> postfix;

	private final Victim api;

	private final Victim worker;

	private final Tenant tenant;

	Scene(Path directory) throws Exception {
		LoggingSystem.get(Scene.class.getClassLoader()).setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.ERROR);
		this.database = new Database(directory);
		String url = this.database.furnish(NAME);
		this.connection = this.database.connect(NAME);
		this.broker = new Broker(directory);
		this.topic = new Topic(this.broker.bootstrap());
		this.sink = new Sink();
		this.postfix = postfix(directory);
		Map<String, String> common = Map.of("MAILROOM_DB_URL", url, "MAILROOM_DB_USER", Database.APP,
				"MAILROOM_MASTER_KEY", Base64.getEncoder().encodeToString(new byte[32]));
		this.api = new Victim(PlatformApi.class, directory, with(common, apiSettings()));
		this.worker = new Victim(DeliveryWorker.class, directory, with(common, workerSettings()));
		this.tenant = Tenant.in(this.api.program(), this.database, NAME, "sender.test");
	}

	/** Without Postfix the scripted server stands in for it. */
	private Optional<PostfixSink> postfix(Path directory) throws IOException {
		if (PostfixSink.isInstalled()) {
			return Optional.of(new PostfixSink(directory, this.sink.port()));
		}
		this.sink.bind(PostfixSink.HOST, this.sink.port());
		return Optional.empty();
	}

	/** Whether mail goes straight to the recipients' servers, and not through a relay. */
	void goDirect(boolean direct) throws SQLException {
		this.database.run(NAME, "update domain set transport = " + (direct ? "'mx'" : "null"));
	}

	/** What each copy was that this recipient was given, wherever. */
	List<Integer> copies(String recipient) {
		List<Integer> copies = new ArrayList<>(this.sink.copies(recipient));
		this.postfix.ifPresent((postfix) -> copies.addAll(postfix.copies(recipient)));
		return copies;
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
				Map.entry("MAILROOM_MX_REPLY_TIMEOUT", "3s"), Map.entry("MAILROOM_MX_DOT_TIMEOUT", "3s"),
				Map.entry("MAILROOM_RELAY_FINAL", "true"), Map.entry("MAILROOM_LEASE", "4s"),
				// No more than is worked off while so short a lease lasts.
				Map.entry("MAILROOM_DISPATCH_WINDOW", "400"), Map.entry("MAILROOM_DATA_LEASE", "8s"),
				Map.entry("MAILROOM_SEND_BEGIN_WITHIN", "1s"), Map.entry("MAILROOM_RELAY_REPLY_TIMEOUT", "3s"),
				Map.entry("MAILROOM_RELAY_DOT_TIMEOUT", "3s"),
				Map.entry("MAILROOM_RETRY_DELAYS", "1s,1s,1s,1s,1s,1s,1s,1s,1s,10h"));
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
		this.worker.close();
		this.api.close();
		this.sink.close();
		this.postfix.ifPresent(PostfixSink::close);
		this.names.close();
		this.broker.close();
		this.connection.close();
		this.database.close();
	}

}
