package dev.mailroom.bench;

import java.net.InetAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.mailroom.Await;
import dev.mailroom.api.PlatformApi;
import dev.mailroom.domain.TestDns;
import dev.mailroom.process.Broker;
import dev.mailroom.process.Database;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.worker.DeliveryWorker;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;

/**
 * The product as it is deployed: PostgreSQL with durable commits, Kafka, API and worker
 * in processes of their own with the JVM options of the images, and a sink as relay.
 */
public final class Stack {

	/** Database of the API and the worker. */
	public static final String PRODUCT = "product";

	public static final int BATCH = 100;

	/** Mails per second of a tenant to one destination, without a relay. */
	public static final int MX_RATE = 300;

	/** Topic of the leases. */
	private static final String TOPIC = "mailroom.deliveries";

	/** Whether the CPU time is attributed to stages. */
	public static final boolean PROFILED = Boolean.getBoolean("figures.profile");

	private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

	private static final Duration TIMEOUT = Duration.ofMinutes(10);

	private static final Duration INTERVAL = Duration.ofMillis(5);

	private static final List<String> JVM = List.of(
			System
				.getProperty("figures.jvm",
						"-XX:+UseSerialGC -Xmx400m -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError"
								+ (Boolean.getBoolean("figures.quick") ? " -XX:TieredStopAtLevel=1" : ""))
				.split(" "));

	private final Path directory;

	private final Resources resources;

	private final Database database;

	private final Sink sink;

	private final TestDns names;

	private final Ledger ledger;

	private final Broker broker;

	private final Program api;

	private final Program worker;

	/** Starts everything, in the directory. */
	public Stack(Path directory, Resources resources) throws Exception {
		this.directory = directory;
		this.resources = resources;
		this.database = resources.add(new Database(directory,
				PROFILED ? Map.of("shared_preload_libraries", "pg_stat_statements") : Map.of()));
		this.ledger = new Ledger(this.database);
		this.sink = resources.add(new Sink());
		this.names = resources.add(new TestDns((name) -> List.of(new ARecord(name, DClass.IN, 600, LOOPBACK))));
		this.broker = resources.add(new Broker(directory, JVM));
		this.database.furnish(PRODUCT);
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			Callable<Program> starting = () -> start("worker", DeliveryWorker.class, PRODUCT);
			Future<Program> started = threads.submit(starting);
			this.api = start("api", PlatformApi.class, PRODUCT);
			this.worker = started.get();
		}
	}

	/** Starts a program on a database. */
	public Program start(String name, Class<?> main, String databaseName) throws Exception {
		return this.resources
			.add(new Program(main, this.directory.resolve(name + ".log"), JVM, settings(databaseName)));
	}

	/** Environment variables of the programs on a database. */
	public Map<String, String> settings(String databaseName) {
		Map<String, String> settings = new HashMap<>(Map.of("MAILROOM_DB_USER", Database.APP, "MAILROOM_MASTER_KEY",
				Base64.getEncoder().encodeToString(new byte[32]), "MAILROOM_DEFAULT_PLAN", "unlimited",
				"MAILROOM_OPERATOR_EMAIL", Tenant.EMAIL, "MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD,
				"MAILROOM_RATE_LIMIT_ENABLED", "false", "MAILROOM_WEBHOOK_LOOPBACK", "true"));
		settings.putAll(Map.of("MAILROOM_DB_URL", this.database.url(databaseName), "MAILROOM_KAFKA_BOOTSTRAP",
				this.broker.bootstrap(), "MAILROOM_RELAY_HOST", "127.0.0.1", "MAILROOM_RELAY_PORT",
				Integer.toString(this.sink.port()), "MAILROOM_RELAY_FINAL", "true", "MAILROOM_BIND_ADDRESS",
				"127.0.0.1"));
		// For tenants whose mail is delivered to the servers of its recipients.
		settings.putAll(Map.of("MAILROOM_DNS_SERVERS", this.names.address(), "MAILROOM_MX_PORT",
				Integer.toString(this.sink.port()), "MAILROOM_MX_PRIVATE_ADDRESSES", "true", "MAILROOM_MX_RATE",
				Integer.toString(MX_RATE)));
		return settings;
	}

	public Path directory() {
		return this.directory;
	}

	public Resources resources() {
		return this.resources;
	}

	public Database database() {
		return this.database;
	}

	public Sink sink() {
		return this.sink;
	}

	public Ledger ledger() {
		return this.ledger;
	}

	public Program api() {
		return this.api;
	}

	public Program worker() {
		return this.worker;
	}

	/** CPU time of API, worker, broker and PostgreSQL. */
	public Meter meter() {
		return new Meter(this.database,
				Map.of("API", this.api::cpu, "worker", this.worker::cpu, "Kafka", this.broker::cpu));
	}

	/** Creates an account with a domain that may send without limits. */
	public Tenant tenant(String domain) throws Exception {
		return Tenant.another(this.api, this.database, PRODUCT, domain);
	}

	/** Creates an account whose mail is not signed. */
	public Tenant unsigned(String domain) throws Exception {
		Tenant tenant = tenant(domain);
		this.database.run(PRODUCT,
				"delete from dkim_key using domain where domain.id = domain_id and domain.name = '" + domain + "'");
		return tenant;
	}

	/** Delivers the mail of a tenant to the servers of its recipients from now on. */
	public void deliverDirectly(Tenant tenant) throws SQLException {
		this.database.run(PRODUCT, "update domain set transport = 'mx' where name = '" + tenant.domain() + "'");
	}

	/** Number of leases that were published since the start. */
	public long leases() throws Exception {
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", this.broker.bootstrap()))) {
			Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
			for (TopicDescription topic : admin.describeTopics(List.of(TOPIC)).allTopicNames().get().values()) {
				topic.partitions()
					.forEach((partition) -> ends.put(new TopicPartition(TOPIC, partition.partition()),
							OffsetSpec.latest()));
			}
			return admin.listOffsets(ends)
				.all()
				.get()
				.values()
				.stream()
				.mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
				.sum();
		}
	}

	/** Clients that send mails of a tenant one by one. */
	public Load singles(Tenant tenant, int clients) {
		return new Load(this.api.apiPort(), "/api/emails", tenant.key(), tenant.mail(), clients,
				this.ledger.accepted(PRODUCT));
	}

	/** Clients that send mails of a tenant in batches of {@value #BATCH}. */
	public Load batches(Tenant tenant, int clients) {
		return new Load(this.api.apiPort(), "/api/emails/batch", tenant.key(), tenant.batch(BATCH), clients,
				this.ledger.accepted(PRODUCT));
	}

	/** Sends timed mails of a tenant to the API. */
	public Probe<HttpConnection> probe(Tenant tenant) {
		return new Probe<>(() -> new HttpConnection(this.api.apiPort(), this.ledger.accepted(PRODUCT)),
				(connection, recipient) -> connection
					.post(HttpConnection.request("/api/emails", tenant.key(), tenant.mailTo(recipient))),
				this.sink);
	}

	/** Posts a number of times and waits until all mails of the tenant are settled. */
	public Sample deliver(Tenant tenant, Load load, long posts, int mailsPerPost) throws Exception {
		Meter meter = meter();
		Meter.Reading before = meter.read();
		long goal = this.sink.accepted() + posts * mailsPerPost;
		long start = System.nanoTime();
		load.post(posts);
		Await.until("all mails arrive", TIMEOUT, INTERVAL, () -> this.sink.accepted() >= goal);
		awaitSettled(tenant);
		return meter.since(before, posts * mailsPerPost, System.nanoTime() - start);
	}

	/** Waits until the queue has no mail of a tenant. */
	public void awaitSettled(Tenant tenant) throws Exception {
		String account = " and account_id = '" + account(tenant) + "'";
		await("not exists(select from queue where ready" + account
				+ ") and not exists(select from queue where not ready and held is null" + account + ")");
	}

	/** Waits until the queue is empty. */
	public void awaitSettled() throws Exception {
		await("not exists(select from queue)");
	}

	/** Waits until a condition holds in the product's database. */
	public void await(String condition) throws Exception {
		try (Connection connection = this.database.connect(PRODUCT);
				PreparedStatement query = connection.prepareStatement("select " + condition)) {
			Await.until(condition, TIMEOUT, INTERVAL, () -> {
				try (ResultSet result = query.executeQuery()) {
					result.next();
					return result.getBoolean(1);
				}
			});
		}
	}

	/** Id of a tenant's account. */
	public UUID account(Tenant tenant) throws SQLException {
		return UUID.fromString(text("select account_id from domain where name = '" + tenant.domain() + "'"));
	}

	/** First column of the first row of a query in the product's database. */
	public String text(String sql) throws SQLException {
		try (Connection connection = this.database.connect(PRODUCT);
				ResultSet result = connection.createStatement().executeQuery(sql)) {
			result.next();
			return result.getString(1);
		}
	}

	/** First column of the first row of a query in the product's database. */
	public long number(String sql) throws SQLException {
		return Long.parseLong(text(sql));
	}

}
