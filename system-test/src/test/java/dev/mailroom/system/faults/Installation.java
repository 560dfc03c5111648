package dev.mailroom.system.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
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
import dev.mailroom.domain.TestDns;
import dev.mailroom.process.Broker;
import dev.mailroom.process.Database;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.worker.DeliveryWorker;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.Record;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * An API and a worker in separate processes, with PostgreSQL, a broker and a scripted
 * SMTP server, and with short leases and retry delays.
 */
final class Installation implements Testbed {

	private static final String NAME = "faults";

	/** Seconds of a lease. A busy machine needs more: {@code -Dfaults.lease=20}. */
	private static final int LEASE = Integer.getInteger("faults.lease", 4);

	private static final int TTL_SECONDS = 60;

	/** In the reverse order of their start. */
	private final Deque<AutoCloseable> parts = new ArrayDeque<>();

	private final Database database;

	private final Broker broker;

	private final Topic topic;

	/** Settings of all programs. */
	private final Map<String, String> common;

	private final ScriptedSmtpServer smtp = part(new ScriptedSmtpServer());

	private final TestDns names;

	private @Nullable PostfixSink postfix;

	private final CrashableProgram api;

	private final CrashableProgram worker;

	private final Tenant tenant;

	/**
	 * Starts all parts.
	 * @param hasReserve whether the successor of a program is prepared in advance
	 */
	Installation(Path directory, boolean hasReserve) throws Exception {
		LoggingSystem.get(Installation.class.getClassLoader())
			.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.ERROR);
		try (ExecutorService starts = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<Broker> starting = starts.submit(() -> part(new Broker(directory)));
			this.names = part(new TestDns(Installation::records));
			startServers(directory);
			this.database = part(new Database(directory));
			String url = this.database.furnish(NAME);
			this.broker = starting.get();
			this.topic = new Topic(this.broker.bootstrap());
			this.common = Map.of("MAILROOM_DB_URL", url, "MAILROOM_DB_USER", Database.APP, "MAILROOM_MASTER_KEY",
					Base64.getEncoder().encodeToString(new byte[32]));
			Future<CrashableProgram> second = starts.submit(() -> part(new CrashableProgram(DeliveryWorker.class,
					hasReserve, directory, with(this.common, workerSettings()))));
			this.api = part(
					new CrashableProgram(PlatformApi.class, hasReserve, directory, with(this.common, apiSettings())));
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

	/** An MX record for every domain, whose server has the address of its behaviour. */
	private static List<Record> records(Name name) {
		try {
			InetAddress server = InetAddress.ofLiteral(Behavior.of("@" + new Name(name, 1).toString(true)).host());
			return List.of(
					new MXRecord(name, DClass.IN, TTL_SECONDS, 10,
							Name.concatenate(Name.fromConstantString("mx"), name)),
					new ARecord(name, DClass.IN, TTL_SECONDS, server));
		}
		catch (NameTooLongException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	/** Without Postfix, the scripted server uses its address too. */
	private void startServers(Path directory) throws IOException {
		this.smtp.offering("PIPELINING", "8BITMIME");
		this.smtp.listen(InetAddress.ofLiteral(Behavior.FIRST));
		this.smtp.listen(InetAddress.ofLiteral(Behavior.SECOND));
		if (PostfixSink.isInstalled()) {
			this.postfix = part(new PostfixSink(directory, this.smtp.port()));
		}
		else {
			this.smtp.listen(InetAddress.ofLiteral(PostfixSink.HOST));
		}
	}

	/** Sets the transport of all further mail. */
	void use(SendMode mode) throws SQLException {
		this.database.run(NAME, "update domain set transport = " + mode.choice());
	}

	@Override
	public Map<String, List<Integer>> copies(String run) {
		Map<String, List<Integer>> copies = Testbed.super.copies(run);
		if (this.postfix != null) {
			copies.putAll(this.postfix.copies());
			copies.keySet().removeIf((recipient) -> !recipient.startsWith(run));
		}
		return copies;
	}

	/**
	 * Expires the hand-overs of an ended worker and its membership in the consumer group.
	 */
	void expireHandOvers() throws Exception {
		this.database.run(NAME, "update queue set data_until = now() where data_until is not null");
		this.topic.removeMembers();
	}

	private static Map<String, String> apiSettings() {
		return Map.of("MAILROOM_DEFAULT_PLAN", "unlimited", "MAILROOM_OPERATOR_EMAIL", Tenant.EMAIL,
				"MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD, "MAILROOM_RATE_LIMIT_ENABLED", "false");
	}

	private Map<String, String> workerSettings() {
		return with(ShortLeases.settings(LEASE, this.broker.bootstrap(), this.smtp.port()),
				Map.of("MAILROOM_DNS_SERVERS", this.names.address(), "MAILROOM_MX_PORT",
						Integer.toString(this.smtp.port()), "MAILROOM_MX_PRIVATE_ADDRESSES", "true",
						"MAILROOM_MX_BREAK", "1s"));
	}

	private static Map<String, String> with(Map<String, String> settings, Map<String, String> more) {
		Map<String, String> all = new HashMap<>(settings);
		all.putAll(more);
		return all;
	}

	@Override
	public List<List<String>> rows(String sql) throws SQLException {
		return this.database.rows(NAME, sql);
	}

	/** Runs a statement that changes data. */
	void run(String sql) throws SQLException {
		this.database.run(NAME, sql);
	}

	/** Removes replies of a failed test, and restarts programs that it has ended. */
	void restore() throws Exception {
		this.smtp.behave();
		this.api.ensureRunning();
		this.worker.ensureRunning();
	}

	CrashableProgram api() {
		return this.api;
	}

	CrashableProgram worker() {
		return this.worker;
	}

	@Override
	public ScriptedSmtpServer smtp() {
		return this.smtp;
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

	@Override
	public List<Program> apis() {
		return List.of(this.api.program());
	}

	@Override
	public Tenant tenant() {
		return this.tenant;
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable part : this.parts) {
			part.close();
		}
	}

}
