package dev.mailroom.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.Await;
import dev.mailroom.process.Database;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import dev.mailroom.standalone.Standalone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * A campaign to ten thousand contacts and one to many more: contacts selected per second
 * in comparison with narrow rows inserted by one statement, time from the start to the
 * first mail at the server, mails delivered per second meanwhile, and memory in use.
 * {@code -Dcampaign.contacts} sets the larger number.
 */
class CampaignScale {

	private static final int FEW = 10_000;

	private static final int MANY = Integer.getInteger("campaign.contacts", 1_000_000);

	private static final String DATABASE = "campaigns";

	private static final Duration TIMEOUT = Duration.ofMinutes(20);

	private static final Duration INTERVAL = Duration.ofMillis(5);

	/** Measurements of the memory while a campaign is delivered. */
	private static final int HEAP_SAMPLES = 5;

	private static final Pattern USED = Pattern.compile("used (\\d+)K");

	private static final String NARROW = """
			create table if not exists narrow (campaign_id uuid, contact_id uuid, account_id uuid,
			                                   primary key (campaign_id, contact_id));
			truncate narrow;
			insert into narrow select gen_random_uuid(), id, account_id from contact where contact_book_id = '%s'
			""";

	private static final String FILL = """
			insert into contact (id, account_id, contact_book_id, email, email_key, first_name, created_at, updated_at)
			select overlay(overlay(md5(i::text) placing lpad(to_hex(i), 12, '0') from 1) placing '7' from 13)::uuid,
			       account_id, id, 'reader' || i || '@to.test', 'reader' || i || '@to.test', 'Ada',
			       now() - interval '1 day' + i * interval '1 microsecond', now()
			  from contact_book, generate_series(%d, %d) as i where id = '%s'
			""";

	private final List<String> report = new ArrayList<>();

	private int contacts;

	@TempDir
	Path directory;

	@Test
	void campaignsOfTwoSizes() throws Exception {
		try (Database database = new Database(this.directory);
				Sink sink = new Sink();
				Program program = new Program(Standalone.class, this.directory.resolve("standalone.log"),
						List.of("-XX:+UseSerialGC", "-Xmx400m"), settings(database, sink));
				Web web = new Web(program.apiPort())) {
			Tenant.in(program, database, DATABASE, "campaigns.test");
			run(database, web, sink, FEW);
			double few = run(database, web, sink, FEW);
			double many = run(database, web, sink, MANY);
			this.report.forEach(System.out::println);
			System.out.printf("memory in use of all apps: %.1f MB more with %d contacts than with %d%n", many - few,
					MANY, FEW);
		}
	}

	private Map<String, String> settings(Database database, Sink sink) throws SQLException {
		Map<String, String> settings = new HashMap<>(Map.of("MAILROOM_DB_URL", database.furnish(DATABASE),
				"MAILROOM_DB_USER", Database.APP, "MAILROOM_DB_OWNER_USER", "mailroom_owner", "MAILROOM_MASTER_KEY",
				Base64.getEncoder().encodeToString(new byte[32]), "MAILROOM_DATA_DIR",
				this.directory.resolve("standalone").toString(), "MAILROOM_RELAY_HOST", "127.0.0.1",
				"MAILROOM_RELAY_PORT", Integer.toString(sink.port()), "MAILROOM_RELAY_FINAL", "true"));
		settings.putAll(Map.of("MAILROOM_DEFAULT_PLAN", "unlimited", "MAILROOM_OPERATOR_EMAIL", Tenant.EMAIL,
				"MAILROOM_OPERATOR_PASSWORD", Tenant.PASSWORD, "MAILROOM_RATE_LIMIT_ENABLED", "false"));
		for (String port : List.of("ADMIN", "MAILBOX", "CATCHER", "KAFKA", "PG", "INBOUND", "SUBMISSION")) {
			settings.put("MAILROOM_" + port + "_PORT", "0");
		}
		return settings;
	}

	/**
	 * Runs a campaign until all contacts are selected and the memory is measured.
	 * @return memory in use, in MB
	 */
	private double run(Database database, Web web, Sink sink, int size) throws Exception {
		signIn(web);
		String book = post(web, "/api/contact-books", Map.of("name", "Readers"), 201, "/data/contactBook/id");
		database.run(DATABASE, FILL.formatted(this.contacts + 1, this.contacts + size, book));
		this.contacts += size;
		database.run(DATABASE, "update contact_book set contacts = " + size + " where id = '" + book + "'");
		database.run(DATABASE, "vacuum analyze contact");
		long begun = System.nanoTime();
		database.run(DATABASE, NARROW.formatted(book));
		double narrow = size / seconds(begun);
		String id = post(web, "/api/campaigns",
				Map.of("name", "News", "from", "Ann <a@campaigns.test>", "subject", "News for {{first_name}}",
						"contact_book_id", book, "text_content", "Hello {{first_name}}, {{unsubscribe_url}}"),
				201, "/data/campaign/id");
		long before = sink.accepted();
		long started = System.nanoTime();
		post(web, "/api/campaigns/" + id + "/start", Map.of(), 200, "/data/campaign/id");
		Await.until("the selection begins", TIMEOUT, INTERVAL, () -> isTrue(database, "selected > 0", id));
		long selecting = System.nanoTime();
		Await.until("the first mail arrives", TIMEOUT, INTERVAL, () -> sink.accepted() > before);
		double first = seconds(started);
		Await.until("all contacts are selected", TIMEOUT, INTERVAL,
				() -> isTrue(database, "selected_at is not null", id));
		double selected = size / seconds(selecting);
		double heap = heap();
		double rate = (sink.accepted() - before) / seconds(started);
		this.report
			.add(("%d contacts: %.0f contacts/s selected, %.2f of narrow rows (%.0f/s); first mail after %.2f s; "
					+ "%.0f mails/s meanwhile; %.1f MB in use")
				.formatted(size, selected, selected / narrow, narrow, first, rate, heap));
		end(database, web, id);
		return heap;
	}

	/** Stops a campaign that would take long. */
	private static void end(Database database, Web web, String id) throws Exception {
		signIn(web);
		if (web.post("/api/campaigns/" + id + "/pause", "").status() == 200) {
			Await.until("no mail of the campaign is ready", TIMEOUT, () -> isTrue(database,
					"not exists (select from queue where campaign_id = campaign.id and ready)", id));
			database.run(DATABASE, "delete from queue where id in (select id from queue where campaign_id = '" + id
					+ "' order by id for update)");
		}
	}

	private static boolean isTrue(Database database, String condition, String campaign) throws SQLException {
		try (Connection connection = database.connect(DATABASE);
				Statement statement = connection.createStatement();
				ResultSet result = statement
					.executeQuery("select " + condition + " from campaign where id = '" + campaign + "'")) {
			return result.next() && result.getBoolean(1);
		}
	}

	/** An access token is valid for a shorter time than a run takes. */
	private static void signIn(Web web) throws Exception {
		web.use("");
		web.use(post(web, "/api/auth/login", Map.of("email", Tenant.EMAIL, "password", Tenant.PASSWORD), 200,
				"/data/access_token"));
	}

	private static String post(Web web, String path, Map<String, String> body, int status, String field)
			throws Exception {
		return web.post(path, JsonMapper.shared().writeValueAsString(body)).json(status).at(field).stringValue();
	}

	private static double seconds(long since) {
		return (System.nanoTime() - since) / 1e9;
	}

	/** Megabytes in use after a full garbage collection, at most. */
	private static double heap() throws Exception {
		long pid = ProcessHandle.current()
			.children()
			.filter((child) -> child.info().command().orElse("").endsWith("/java"))
			.findFirst()
			.orElseThrow()
			.pid();
		long most = 0;
		for (int i = 0; i < HEAP_SAMPLES; i++) {
			jcmd(pid, "GC.run");
			long used = 0;
			Matcher generation = USED.matcher(jcmd(pid, "GC.heap_info").replaceFirst("(?s)Metaspace.*", ""));
			while (generation.find()) {
				used += Long.parseLong(generation.group(1));
			}
			most = Math.max(most, used);
		}
		return most / 1024.0;
	}

	private static String jcmd(long pid, String command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
				Long.toString(pid), command)
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return output;
	}

}
