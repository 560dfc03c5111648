package dev.mailroom.system.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.api.PlatformApi;
import dev.mailroom.system.Database;
import dev.mailroom.system.Program;
import dev.mailroom.system.Tenant;
import dev.mailroom.system.Web;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Response times of list pages for one account with ten thousand mails and one with many
 * more, in separate databases and 14 monthly partitions. Requests are sent one after
 * another, in turns.
 */
class Lists {

	private static final long FEW = 10_000;

	private static final long MANY = Long.getLong("figures.rows", 2_000_000);

	private static final int ROUNDS = Integer.getInteger("figures.rounds", 5);

	private static final int REQUESTS = 200;

	private static final long ROWS_PER_INSERT = 250_000;

	private final Map<String, List<Long>> micros = new HashMap<>();

	@TempDir
	Path directory;

	@Test
	void responseTimesOfGrowingLists() throws Exception {
		try (Database database = new Database(this.directory);
				Program few = start(database, "few", FEW);
				Program many = start(database, "many", MANY);
				Web small = web(few);
				Web large = web(many)) {
			for (int round = 0; round <= ROUNDS; round++) {
				for (String filter : List.of("", "status=delivered&", "status=bounced&")) {
					measure(small, "few, page 1, " + filter, filter, 1, round);
					measure(large, "many, page 1, " + filter, filter, 1, round);
					measure(large, "many, half depth, " + filter, filter, 0, round);
				}
			}
			report();
		}
	}

	private Program start(Database database, String name, long rows) throws Exception {
		Map<String, String> settings = new HashMap<>(Figures.common());
		settings.put("MAILROOM_DB_URL", database.furnish(name));
		Program program = new Program(PlatformApi.class, this.directory.resolve(name + ".log"), List.of("-Xmx400m"),
				settings);
		Tenant.in(program, database, name, name + ".test");
		database.run(name, PARTITIONS);
		for (long from = 0; from < rows; from += ROWS_PER_INSERT) {
			database.run(name, FILL.formatted(rows, from, Math.min(rows, from + ROWS_PER_INSERT) - 1));
		}
		database.run(name, "vacuum analyze");
		return program;
	}

	private static Web web(Program program) throws Exception {
		Web web = new Web(program.apiPort());
		web.use(web
			.post("/api/auth/login",
					"{\"email\": \"%s\", \"password\": \"%s\"}".formatted(Tenant.EMAIL, Tenant.PASSWORD))
			.json(200)
			.at("/data/access_token")
			.stringValue());
		return web;
	}

	/**
	 * Requests a page and records the response times.
	 * @param page number of the page; 0 for the one in the middle of the list
	 */
	private void measure(Web web, String name, String filter, int page, int round) throws Exception {
		String path = "/api/emails/logs?" + filter + "limit=50&page=";
		long pages = web.get(path + 1).json(200).at("/data/pagination/totalPages").longValue();
		String requested = path + ((page == 0) ? pages / 2 : page);
		for (int i = 0; i < REQUESTS; i++) {
			long start = System.nanoTime();
			web.get(requested).json(200);
			long elapsed = (System.nanoTime() - start) / 1000;
			if (round > 0) {
				this.micros.computeIfAbsent(name, (_) -> new ArrayList<>()).add(elapsed);
			}
		}
	}

	private void report() {
		System.out.printf("%n%d rows and %d rows, sequential requests, %d responses each%n", FEW, MANY,
				ROUNDS * REQUESTS);
		for (String filter : List.of("", "status=delivered&", "status=bounced&")) {
			long[] few = sorted("few, page 1, " + filter);
			long[] many = sorted("many, page 1, " + filter);
			long[] deep = sorted("many, half depth, " + filter);
			System.out.printf(
					"%-18s page 1 of few p50 %d us p99 %d us, of many p50 %d us p99 %d us, half depth p50 %d us "
							+ "p99 %d us%n",
					filter, percentile(few, 50), percentile(few, 99), percentile(many, 50), percentile(many, 99),
					percentile(deep, 50), percentile(deep, 99));
			System.out.printf("%-18s many / few p50 %.2f p99 %.2f (goal 1.2), half depth / page 1 p50 %.2f (goal 5)%n",
					"", ratio(percentile(many, 50), percentile(few, 50)),
					ratio(percentile(many, 99), percentile(few, 99)),
					ratio(percentile(deep, 50), percentile(many, 50)));
		}
	}

	private long[] sorted(String name) {
		long[] all = this.micros.getOrDefault(name, List.of()).stream().mapToLong(Long::longValue).toArray();
		Arrays.sort(all);
		return all;
	}

	private static long percentile(long[] sorted, int percent) {
		return sorted[(sorted.length - 1) * percent / 100];
	}

	private static double ratio(long value, long reference) {
		return (double) value / reference;
	}

	/** Partitions of the next 13 months, for ids of mails that are older by as much. */
	private static final String PARTITIONS = """
			select create_partition(name, (date_trunc('month', now() at time zone 'UTC') + month * interval '1 month')::date)
			  from partitioned_tables() cross join generate_series(1, 13) as month
			""";

	/**
	 * Mails of 13 months at regular distances; one in fifty bounced, the others
	 * delivered.
	 */
	private static final String FILL = """
			insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, status, last_event, created_at)
			select (lpad(to_hex((extract(epoch from at + interval '390 days') * 1000)::bigint), 12, '0') || '70008000'
			           || lpad(to_hex(i), 12, '0'))::uuid,
			       account_id, id, 'Ann <a@from.test>', 'a@from.test', array['b@to.test'], 'Your order has left',
			       case when i %% 50 = 0 then 'bounced' else 'delivered' end,
			       case when i %% 50 = 0 then 'bounced' else 'delivered' end, at
			  from domain cross join (
			           select i, now() - (%1$d - i) * (interval '390 days' / %1$d) - interval '1 hour' as at
			             from generate_series(%2$d, %3$d) as i) as mail
			 where name in ('few.test', 'many.test')
			""";

}
