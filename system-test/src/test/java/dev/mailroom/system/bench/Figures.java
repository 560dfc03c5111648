package dev.mailroom.system.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.mailroom.api.PlatformApi;
import dev.mailroom.standalone.Standalone;
import dev.mailroom.system.Database;
import dev.mailroom.system.Poll;
import dev.mailroom.system.Program;
import dev.mailroom.system.Tenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mails accepted and delivered per second and CPU time per mail, in comparison with
 * PostgreSQL's commits and with Postfix. Each round measures every row, so that load on
 * the machine affects all of them.
 */
class Figures {

	private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(3);

	private static final String ACCEPTING = "accepting";

	private static final String DELIVERING = "delivering";

	private static final int CLIENTS = 64;

	private static final int BATCH = 100;

	private static final int BATCH_CLIENTS = 4;

	/**
	 * Whether to take less than three minutes, for figures that are only roughly right.
	 */
	private static final boolean QUICK = Boolean.getBoolean("figures.quick");

	private static final int SECONDS = Integer.getInteger("figures.seconds", QUICK ? 2 : 5);

	/** Warm-up time of each row, in turns. */
	private static final int WARM_SECONDS = Integer.getInteger("figures.warm", QUICK ? 2 : 15);

	private static final int ROUNDS = Integer.getInteger("figures.rounds", QUICK ? 1 : 5);

	/** Regular expression of the rows to measure; all by default. */
	private static final Pattern ONLY = Pattern.compile(System.getProperty("figures.only", ""));

	private static final List<String> JVM = List
		.of(System.getProperty("figures.jvm", "-XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xmx400m").split(" "));

	private final Map<String, Row> rows = new LinkedHashMap<>();

	private final Map<String, Program> programs = new LinkedHashMap<>();

	private final MailCount mails = new MailCount();

	@TempDir
	Path directory;

	@Test
	void throughputAndCpuTime() throws Exception {
		try (Database database = new Database(this.directory); Sink sink = new Sink()) {
			commits(database);
			Program api = start("api", PlatformApi.class, Map.of("MAILROOM_DB_URL", database.furnish(ACCEPTING)));
			Program standalone = start("standalone", Standalone.class, standaloneSettings(database, sink));
			try (api; standalone) {
				accepting(database, api);
				delivering(database, standalone, sink);
				besidePostfix(sink);
				report();
				this.mails.compare(database, ACCEPTING, DELIVERING, sink);
			}
		}
	}

	private Program start(String name, Class<?> main, Map<String, String> settings) throws Exception {
		Map<String, String> all = new HashMap<>(common());
		all.putAll(settings);
		Program program = new Program(main, this.directory.resolve(name + ".log"), JVM, all);
		this.programs.put(name, program);
		return program;
	}

	private void besidePostfix(Sink sink) throws Exception {
		if (!Postfix.isInstalled()) {
			measure();
			return;
		}
		try (Postfix postfix = new Postfix(this.directory, sink)) {
			add("Postfix, accept and relay", () -> this.mails.relayed(postfix.relay(600L * SECONDS)));
			measure();
		}
	}

	private void commits(Database database) throws Exception {
		if (!Pgbench.isInstalled()) {
			return;
		}
		Pgbench one = new Pgbench(database, this.directory, "insert into one_row values (gen_random_uuid(), "
				+ "gen_random_uuid(), 'b@to.test', 'Your order has left', 'pending');", CLIENTS, 1);
		add("pgbench, one-row commits", () -> one.run(SECONDS));
		Pgbench many = new Pgbench(database, this.directory,
				"insert into one_row select gen_random_uuid(), gen_random_uuid(), 'b@to.test', 'Your order has left', "
						+ "'pending' from unnest(array(select generate_series(1, 100)));",
				BATCH_CLIENTS, BATCH);
		add("pgbench, 100 rows of unnest", () -> many.run(SECONDS));
	}

	private void accepting(Database database, Program api) throws Exception {
		Tenant tenant = Tenant.in(api, database, ACCEPTING, "accepting.test");
		Load one = new Load(api.apiPort(), "/api/emails", tenant.key(), tenant.mail(), CLIENTS);
		Load batch = new Load(api.apiPort(), "/api/emails/batch", tenant.key(), tenant.batch(BATCH), BATCH_CLIENTS);
		Meter cpu = new Meter(api, database);
		add("accepted, one by one", () -> this.mails.accepted(accept(one, 1, cpu)));
		add("accepted, batches of 100", () -> this.mails.accepted(accept(batch, BATCH, cpu)));
	}

	private static Sample accept(Load load, int mails, Meter cpu) throws Exception {
		Meter.Reading before = cpu.read();
		long start = System.nanoTime();
		long posted = load.postFor(SECONDS * 1_000_000_000L);
		return cpu.since(before, posted * mails, System.nanoTime() - start);
	}

	private void delivering(Database database, Program standalone, Sink sink) throws Exception {
		Meter cpu = new Meter(standalone, database);
		Tenant unsigned = Tenant.in(standalone, database, DELIVERING, "unsigned.test");
		database.run(DELIVERING,
				"delete from dkim_key using domain where domain.id = domain_id and domain.name = 'unsigned.test'");
		Tenant signed = Tenant.in(standalone, database, DELIVERING, "signed.test");
		for (Tenant tenant : List.of(unsigned, signed)) {
			String suffix = ", " + tenant.domain().replace(".test", "");
			Load one = new Load(standalone.apiPort(), "/api/emails", tenant.key(), tenant.mail(), CLIENTS);
			Load batch = new Load(standalone.apiPort(), "/api/emails/batch", tenant.key(), tenant.batch(BATCH),
					BATCH_CLIENTS);
			add("delivered, one by one" + suffix,
					() -> this.mails.delivered(deliver(one, 2000L * SECONDS, 1, sink, cpu)));
			add("delivered, batches of 100" + suffix,
					() -> this.mails.delivered(deliver(batch, 50L * SECONDS, BATCH, sink, cpu)));
		}
	}

	private static Sample deliver(Load load, long posts, int mails, Sink sink, Meter cpu) throws Exception {
		Meter.Reading before = cpu.read();
		long goal = sink.accepted() + posts * mails;
		long start = System.nanoTime();
		load.post(posts);
		Poll.until(DELIVERY_TIMEOUT, () -> sink.accepted() >= goal);
		return cpu.since(before, posts * mails, System.nanoTime() - start);
	}

	private void add(String name, Row.Round round) {
		if (ONLY.matcher(name).find()) {
			this.rows.put(name, new Row(name, round));
		}
	}

	private void measure() throws Exception {
		for (int warm = 0; warm < WARM_SECONDS; warm += SECONDS) {
			for (Row row : this.rows.values()) {
				row.warmUp();
			}
		}
		for (int round = 1; round <= ROUNDS; round++) {
			System.out.println("round " + round);
			for (Row row : this.rows.values()) {
				row.measure();
			}
		}
	}

	private void report() throws IOException {
		List<String> csv = new ArrayList<>(
				List.of("row,per_second,lowest,highest,cpu_micros_each,database_micros_each"));
		System.out.printf("%n%-36s %9s %19s %9s %9s%n", "", "/s", "lowest to highest", "CPU us", "database");
		for (Row row : this.rows.values()) {
			System.out.printf("%-36s %9.0f %9.0f %9.0f %9.0f %9.0f%n", row.name(), row.rate(), row.lowest(),
					row.highest(), row.cpu(), row.databaseCpu());
			csv.add("\"%s\",%.0f,%.0f,%.0f,%.1f,%.1f".formatted(row.name(), row.rate(), row.lowest(), row.highest(),
					row.cpu(), row.databaseCpu()));
		}
		Goals.print(this.rows);
		for (Map.Entry<String, Program> program : this.programs.entrySet()) {
			System.out.printf("peak memory of %s: %d MiB%n", program.getKey(), program.getValue().peakMemory());
		}
		Files.write(Path.of("target", "figures.csv"), csv);
		Files.writeString(Path.of("target", "figures.svg"), new Chart(this.rows.values()).svg());
	}

	private Map<String, String> standaloneSettings(Database database, Sink sink) throws Exception {
		Map<String, String> settings = new HashMap<>(Map.of("MAILROOM_DB_URL", database.furnish(DELIVERING),
				"MAILROOM_DB_OWNER_USER", "mailroom_owner", "MAILROOM_DATA_DIR",
				this.directory.resolve("standalone").toString(), "MAILROOM_RELAY_HOST", "127.0.0.1",
				"MAILROOM_RELAY_PORT", Integer.toString(sink.port()), "MAILROOM_RELAY_FINAL", "true"));
		for (String port : List.of("ADMIN", "MAILBOX", "CATCHER", "KAFKA", "PG", "INBOUND", "SUBMISSION")) {
			settings.put("MAILROOM_" + port + "_PORT", "0");
		}
		return settings;
	}

	/** Environment variables of every program. */
	static Map<String, String> common() {
		return Map.of("MAILROOM_DB_USER", Database.APP, "MAILROOM_MASTER_KEY",
				Base64.getEncoder().encodeToString(new byte[32]), "MAILROOM_DEFAULT_PLAN", "unlimited",
				"MAILROOM_OPERATOR_EMAIL", Tenant.EMAIL, "MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD,
				"MAILROOM_RATE_LIMIT_ENABLED", "false");
	}

}
