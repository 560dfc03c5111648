package dev.mailroom.system.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.mailroom.api.PlatformApi;
import dev.mailroom.system.Broker;
import dev.mailroom.system.Database;
import dev.mailroom.system.Poll;
import dev.mailroom.system.Program;
import dev.mailroom.system.Tenant;
import dev.mailroom.system.bench.Probe.Latencies;
import dev.mailroom.worker.DeliveryWorker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Latency of single mails, alone and beside another account's burst, the drain of a
 * backlog, memory and start times, with API, worker, broker and PostgreSQL in processes
 * of their own. Postfix receives the same mail in the same rounds.
 */
class LatencyFigures {

	private static final String NAME = "latency";

	private static final Duration TIMEOUT = Duration.ofMinutes(10);

	private static final int SECONDS = Integer.getInteger("figures.seconds", 10);

	private static final int WARM_SECONDS = Integer.getInteger("figures.warm", 15);

	private static final int ROUNDS = Integer.getInteger("figures.rounds", 5);

	private static final int BURST = Integer.getInteger("figures.burst", 60_000);

	private static final int BACKLOG = Integer.getInteger("figures.backlog", 100_000);

	private static final int STEADY_RATE = 50;

	private static final int QUIET_RATE = 20;

	private static final int BATCH = 100;

	private static final List<String> JVM = List
		.of(System.getProperty("figures.jvm", "-XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xmx400m").split(" "));

	/** Values of each round, by figure. */
	private final Map<String, List<Double>> figures = new LinkedHashMap<>();

	@TempDir
	Path directory;

	@Test
	void latencyFairnessAndBacklog() throws Exception {
		try (Database database = new Database(this.directory);
				Broker broker = new Broker(this.directory);
				Sink sink = new Sink();
				Postfix postfix = Postfix.isInstalled() ? new Postfix(this.directory, sink) : null) {
			Map<String, String> settings = settings(database, broker, sink);
			Program api = started("API", PlatformApi.class, settings);
			Program worker = started("worker", DeliveryWorker.class, settings);
			try (api; worker) {
				Tenant quiet = Tenant.in(api, database, NAME, "quiet.test");
				Tenant busy = Tenant.another(api, database, NAME, "busy.test");
				Probe<HttpConnection> mailroom = new Probe<>(() -> new HttpConnection(api.apiPort()),
						(connection, recipient) -> connection
							.post(HttpConnection.request("/api/emails", quiet.key(), quiet.mailTo(recipient))),
						sink);
				Load burst = new Load(api.apiPort(), "/api/emails/batch", busy.key(), busy.batch(BATCH), 4);
				Load single = new Load(api.apiPort(), "/api/emails", quiet.key(), quiet.mail(), 64);
				warmUp(single, burst, sink);
				for (int round = 0; round < ROUNDS; round++) {
					steady(mailroom, "Mailroom");
					if (postfix != null) {
						int port = postfix.port();
						steady(new Probe<>(() -> new SmtpClient(port), SmtpClient::send, sink), "Postfix");
					}
					halfPeak(mailroom, single, sink);
					besideBurst(mailroom, burst, sink);
				}
				backlog(database, burst, sink);
				add("RSS at peak, API, MiB", (double) api.peakMemory());
				add("RSS at peak, worker, MiB", (double) worker.peakMemory());
			}
			report();
		}
	}

	/** Starts a program three times, and leaves the last one running. */
	private Program started(String name, Class<?> main, Map<String, String> settings) throws Exception {
		Program program = null;
		for (int i = 0; i < 3; i++) {
			if (program != null) {
				program.close();
			}
			long start = System.nanoTime();
			program = new Program(main, this.directory.resolve(name + ".log"), JVM, settings);
			add("start of the " + name + " to ready, s", (System.nanoTime() - start) / 1e9);
		}
		return program;
	}

	private static void warmUp(Load single, Load burst, Sink sink) throws Exception {
		for (int i = 0; i < WARM_SECONDS; i += 5) {
			long before = sink.accepted();
			long posted = single.postFor(3_000_000_000L) + BATCH * burst.postFor(2_000_000_000L);
			Poll.until(TIMEOUT, () -> sink.accepted() >= before + posted);
		}
	}

	private void steady(Probe<?> probe, String name) throws Exception {
		Latencies latencies = probe.run(STEADY_RATE, Duration.ofSeconds(SECONDS));
		add("request to 250 at 50/s, " + name + ", p50 ms", latencies.arrival(50));
		add("request to 250 at 50/s, " + name + ", p99 ms", latencies.arrival(99));
	}

	private void halfPeak(Probe<?> probe, Load single, Sink sink) throws Exception {
		long before = sink.accepted();
		long posted = single.postFor(3_000_000_000L);
		Poll.until(TIMEOUT, () -> sink.accepted() >= before + posted);
		double half = posted / 3.0 / 2;
		Latencies latencies = probe.run(half, Duration.ofSeconds(SECONDS));
		add("POST /emails at half its peak, mails/s", half);
		add("POST /emails at half its peak, p99 ms", latencies.accept(99));
	}

	private void besideBurst(Probe<?> probe, Load burst, Sink sink) throws Exception {
		Latencies alone = probe.run(QUIET_RATE, Duration.ofSeconds(SECONDS));
		long before = sink.accepted();
		try (ExecutorService neighbour = Executors.newSingleThreadExecutor()) {
			Future<?> posting = neighbour.submit(() -> {
				burst.post(BURST / BATCH);
				return null;
			});
			Latencies beside = probe.run(QUIET_RATE, Duration.ofSeconds(SECONDS));
			add("mails of the burst still waiting at the end", BURST + (double) before - sink.accepted());
			posting.get();
			add("quiet account, request to 250, p50 ms", alone.arrival(50));
			add("beside the burst, p50 ms", beside.arrival(50));
			add("quiet account, request to 250, p99 ms", alone.arrival(99));
			add("beside the burst, p99 ms", beside.arrival(99));
			add("quiet account, response p99 ms", alone.accept(99));
			add("beside the burst, response p99 ms", beside.accept(99));
		}
		Poll.until(TIMEOUT, () -> sink.accepted() >= before + BURST);
	}

	private void backlog(Database database, Load burst, Sink sink) throws Exception {
		add("batches without an outage, mails/s", drain(() -> burst.post(BACKLOG / BATCH / 5), BACKLOG / 5, sink));
		sink.away(true);
		burst.post(BACKLOG / BATCH);
		add("drain of a backlog, mails/s", drain(() -> sink.away(false), BACKLOG, sink));
		Poll.until(TIMEOUT, () -> number(database, "select count(*) from queue") == 0);
		double size = tables(database);
		database.run(NAME, "vacuum full");
		add("size of the tables / after VACUUM FULL", size / tables(database));
	}

	private static double drain(Action action, int mails, Sink sink) throws Exception {
		long goal = sink.accepted() + mails;
		long start = System.nanoTime();
		action.run();
		Poll.until(TIMEOUT, () -> sink.accepted() >= goal);
		return mails * 1e9 / (System.nanoTime() - start);
	}

	private static double tables(Database database) throws SQLException {
		return number(database,
				"select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r' and relname ~ "
						+ "'^(email|email_content|delivery|queue|lease|event|delivery_attempt)(_[0-9_]+|_other)?$'");
	}

	private static long number(Database database, String sql) throws SQLException {
		try (Connection connection = database.connect(NAME);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getLong(1);
		}
	}

	private void add(String figure, double value) {
		this.figures.computeIfAbsent(figure, (_) -> new ArrayList<>()).add(value);
	}

	private void report() throws Exception {
		List<String> csv = new ArrayList<>(List.of("figure,median,lowest,highest"));
		System.out.printf("%n%-52s %10s %10s %10s%n", "", "median", "lowest", "highest");
		this.figures.forEach((figure, values) -> {
			double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
			System.out.printf("%-52s %10.1f %10.1f %10.1f%n", figure, sorted[sorted.length / 2], sorted[0],
					sorted[sorted.length - 1]);
			csv.add("\"%s\",%.2f,%.2f,%.2f".formatted(figure, sorted[sorted.length / 2], sorted[0],
					sorted[sorted.length - 1]));
		});
		ratio("request to 250 at 50/s, Mailroom, p50 ms", "request to 250 at 50/s, Postfix, p50 ms", "<= 2");
		ratio("beside the burst, p50 ms", "quiet account, request to 250, p50 ms", "<= 1.5");
		ratio("beside the burst, p99 ms", "quiet account, request to 250, p99 ms", "<= 2");
		ratio("beside the burst, response p99 ms", "quiet account, response p99 ms", "<= 3");
		ratio("drain of a backlog, mails/s", "batches without an outage, mails/s", ">= 0.9");
		Files.write(Path.of("target", "latency.csv"), csv);
	}

	/** Prints the median of the ratios of each round. */
	private void ratio(String figure, String reference, String goal) {
		List<Double> above = this.figures.getOrDefault(figure, List.of());
		List<Double> below = this.figures.getOrDefault(reference, List.of());
		if (!above.isEmpty() && above.size() == below.size()) {
			double[] ratios = new double[above.size()];
			Arrays.setAll(ratios, (i) -> above.get(i) / below.get(i));
			Arrays.sort(ratios);
			System.out.printf("%-80s %8.2f %8s%n", figure + " / " + reference, ratios[ratios.length / 2], goal);
		}
	}

	private static Map<String, String> settings(Database database, Broker broker, Sink sink) throws Exception {
		Map<String, String> settings = new HashMap<>(Figures.common());
		settings.put("MAILROOM_DB_URL", database.furnish(NAME));
		settings.put("MAILROOM_KAFKA_BOOTSTRAP", broker.bootstrap());
		settings.put("MAILROOM_RELAY_HOST", "127.0.0.1");
		settings.put("MAILROOM_RELAY_PORT", Integer.toString(sink.port()));
		settings.put("MAILROOM_RELAY_FINAL", "true");
		return settings;
	}

	/** A step of the benchmark. */
	private interface Action {

		void run() throws Exception;

	}

}
