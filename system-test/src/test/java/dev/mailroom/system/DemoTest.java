package dev.mailroom.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The demo account, whose data must be as consistent as that of any other account. */
@Order(2)
class DemoTest {

	/** Limit on start and fill on a busy machine. */
	private static final Duration FILL_TIMEOUT = Duration.ofMinutes(8);

	@TempDir
	private static Path temporary;

	private static Mailroom mailroom;

	private static Connection database;

	@BeforeAll
	static void start() throws Exception {
		Path data = temporary.resolve("data");
		mailroom = Mailroom.begin(data, Map.of("MAILROOM_DEMO", "true")).ready(FILL_TIMEOUT);
		database = DriverManager.getConnection(
				"jdbc:postgresql://127.0.0.1:" + mailroom.port("PostgreSQL") + "/mailroom", "postgres",
				Files.readString(data.resolve("secrets/postgres-superuser")).strip());
	}

	@AfterAll
	static void stop() throws Exception {
		database.close();
		mailroom.close();
	}

	@Test
	void itsCountersEqualARecount() throws Exception {
		assertThat(rows("""
				select domain_id, status, sum(count) from email_count group by 1, 2 having sum(count) <> 0
				except select domain_id, status, count(*) from email group by 1, 2
				""")).isEmpty();
		assertThat(rows("""
				select id, status, created_at from email where status in ('bounced', 'complained', 'failed')
				except select id, status, created_at from email_trouble
				""")).isEmpty();
		assertThat(rows("""
				select contact_book.id from contact_book
				 where contacts <> (select count(*) from contact where contact_book_id = contact_book.id)
				""")).isEmpty();
		assertThat(rows("""
				select quota_use.period, starts_on, used from quota_use join account on account.id = account_id
				 where role = 'tenant'
				except select period, date_trunc(period, created_at at time zone 'UTC')::date, count(*)
				  from email cross join (values ('day'), ('month')) as of(period)
				 where last_event <> 'cancelled' group by account_id, 1, 2
				""")).isEmpty();
	}

	@Test
	void itsReputationEqualsARecount() throws Exception {
		String recount = """
				select domain_id, (settled_at at time zone 'UTC')::date,
				       count(*) filter (where delivery.status in ('delivered', 'complained')),
				       count(*) filter (where delivery.status = 'bounced' and delivery.reply like '550 5.1.1%'),
				       count(*) filter (where delivery.status = 'bounced' and delivery.reply not like '550 5.1.1%'),
				       count(*) filter (where delivery.status = 'complained')
				  from delivery join email on email.id = email_id
				 where recipient not like '%@simulator.%' and settled_at is not null group by 1, 2
				""";
		assertThat(rows(
				"select domain_id, day, delivered, hard_bounced, other_bounced, complained from reputation_day except "
						+ recount))
			.isEmpty();
		assertThat(rows("select count(distinct day) from reputation_day")).isNotEqualTo(List.of("1"));
		assertThat(rows("""
				select cause, sum(count) from reputation_cause group by 1
				except select case delivery.status when 'complained' then 'complaint' else '5.1.1' end, count(*)
				  from delivery where (status = 'complained' or reply like '550 5.1.1%')
				   and recipient not like '%@simulator.%' group by 1
				""")).isEmpty();
	}

	@Test
	void theResultsOfItsCampaignsEqualARecount() throws Exception {
		String columns = "sum(sent), sum(delivered), sum(bounced), sum(complained), sum(failed), sum(opened), "
				+ "sum(clicked), sum(unsubscribed), sum(skipped)";
		// A campaign is running: one snapshot for all counts.
		assertThat(
				rows("""
						with recount as (
						    select campaign_id, count(*) filter (where status in ('sent', 'delivered', 'bounced', 'complained')) as sent,
						           count(*) filter (where status in ('delivered', 'complained')) as delivered,
						           count(*) filter (where status = 'bounced') as bounced,
						           count(*) filter (where status = 'complained') as complained,
						           count(*) filter (where status = 'failed' and last_event <> 'suppressed') as failed,
						           count(*) filter (where open_count > 0) as opened, count(*) filter (where click_count > 0) as clicked,
						           (select count(*) from campaign_recipient as recipient
						             where recipient.campaign_id = email.campaign_id and unsubscribed_at is not null) as unsubscribed,
						           count(*) filter (where last_event = 'suppressed')
						           + (select count(*) from campaign_recipient as recipient
						               where recipient.campaign_id = email.campaign_id and email_id is null) as skipped
						      from email where campaign_id is not null group by campaign_id)
						(select campaign_id, %1$s from campaign_count group by 1 except select * from recount)
						union all
						(select campaign_id, %1$s from campaign_minute group by 1 except select * from recount)
						"""
					.formatted(columns)))
			.isEmpty();
		assertThat(rows("select distinct status from campaign order by 1")).containsExactly("draft", "paused",
				"running", "scheduled", "sent");
	}

	@Test
	void itHasMailInEveryStateInOrderOfTime() throws Exception {
		assertThat(rows("select distinct status || ' ' || last_event from email")).contains("pending scheduled",
				"pending queued", "pending delivery_delayed", "delivered delivered", "bounced bounced",
				"failed expired", "failed failed", "failed suppressed", "failed cancelled", "complained complained");
		assertThat(rows("select distinct data -> 'bounce' ->> 'type' from event where kind = 'email.bounced'"))
			.contains("hard", "soft", "block");
		assertThat(rows("select 1 from email where open_count > 0 and click_count > 0 limit 1")).hasSize(1);
		assertThat(rows("select id from event where created_at > now() + interval '1 second'")).isEmpty();
		assertThat(rows("""
				select id from event where transaction_id = '0'
				   and uuid_extract_timestamp(id) <> date_trunc('milliseconds', created_at)
				""")).as("ids that sort by time").isEmpty();
		assertThat(rows("select distinct status from webhook_delivery")).contains("delivered", "pending", "failed");
		assertThat(rows("select count(*) from inbound_email")).containsExactly("10");
	}

	/** The operator is shown a mail that cannot be read. */
	@Test
	void itsStartPrintsNoStackTrace() {
		assertThat(mailroom.output().lines()).anyMatch((line) -> line.contains("becomes a dead letter"))
			.noneMatch((line) -> line.strip().startsWith("at dev.mailroom."));
	}

	@Test
	void theOperatorHasWorkToDo() throws Exception {
		assertThat(rows("select what from dead_letter where requeued_at is null")).containsExactly("mail");
		assertThat(rows("select destination from destination_hold where released_at is null"))
			.containsExactly("moving.example");
		assertThat(rows("select count(*) from queue where destination = 'moving.example' and held = 'destination'"))
			.containsExactly("2");
		assertThat(rows("select name from account where paused_reason is not null")).containsExactly("Lantern Events");
		assertThat(rows("select 1 from campaign_link where people < clicks limit 1"))
			.as("a link that a person followed twice")
			.hasSize(1);
	}

	@Test
	@Tag("nightly")
	void everyPageWorksByKeyboardAndWithZoom() throws Exception {
		Journey.run("keyboard.mjs", mailroom, Map.of("DEMO", password()));
	}

	@Test
	void theRolesOfMembersDecideWhichControlsAreShown() throws Exception {
		Journey.run("roles.mjs", mailroom, Map.of("DEMO", password()));
	}

	@Test
	void itsPasswordIsPrinted() throws Exception {
		try (Web api = new Web(mailroom.port("API"))) {
			api.post("/api/auth/login", """
					{"email": "demo@quillmoor.example", "password": "%s"}""".formatted(password())).json(200);
		}
	}

	@Test
	void eachKindOfEventHasTheDataThatTheDocumentDescribes() throws Exception {
		Set<String> kinds = new TreeSet<>();
		try (Web api = new Web(mailroom.port("API"))) {
			JsonNode document = api.get("/openapi.json").json(200);
			signIn(api, "demo@quillmoor.example", password());
			addValid(kinds, api, document);
			produceTheOthers(api);
			addValid(kinds, api, document);
			Set<String> all = new TreeSet<>(document.path("webhooks").propertyNames());
			// The mailbox takes mail as the last server, the lookups of a test domain
			// succeed, and no route forwards.
			all.removeAll(Set.of("email.sent", "domain.failed", "tracking_domain.failed", "webhook.test",
					"email.forwarded", "email.forward_failed"));
			assertThat(kinds).containsAll(all);
		}
	}

	/** Does what the demo account has not done, with an account of its own. */
	private static void produceTheOthers(Web api) throws Exception {
		api.use("");
		api.post("/api/auth/register", """
				{"email": "kinds@kinds.test", "password": "correct horse battery"}""").json(201);
		execute("update account set email_verified_at = now() where email_verified_at is null");
		signIn(api, "kinds@kinds.test", "correct horse battery");
		String domain = api.post("/api/domains", """
				{"name": "kinds.test"}""").json(201).at("/data/domain/id").stringValue();
		api.post("/api/domains/" + domain + "/verify", "").json(200);
		String book = api.post("/api/contact-books", """
				{"name": "Readers"}""").json(201).at("/data/contactBook/id").stringValue();
		String contacts = "/api/contact-books/" + book + "/contacts";
		String contact = api.post(contacts, """
				{"email": "ann@example.test"}""").json(201).at("/data/contact/id").stringValue();
		api.delete(contacts + "/" + contact).json(200);
		String mail = """
				{"from": "a@kinds.test", "to": "delivered@simulator.mailroom.localhost", "subject": "Hi", "text": "Hi"}""";
		String jwt = api.post("/api/auth/login", """
				{"email": "kinds@kinds.test", "password": "correct horse battery"}""")
			.json(200)
			.at("/data/access_token")
			.stringValue();
		String key = api.post("/api/api-keys", """
				{"domainId": "%s", "keyName": "kinds"}""".formatted(domain))
			.json(201)
			.at("/data/apiKey/key")
			.stringValue();
		api.use(key);
		api.post("/api/emails", mail).json(200);
		execute("""
				update quota_use set used = 99 from account
				 where account.id = account_id and email = 'kinds@kinds.test' and period = 'day'""");
		api.post("/api/emails", mail).json(200);
		execute("""
				update quota_use set used = 2 from account
				 where account.id = account_id and email = 'kinds@kinds.test' and period = 'day'""");
		api.use(jwt);
	}

	/** Adds the kinds of all events of an account, whose data must be valid. */
	private static void addValid(Set<String> kinds, Web api, JsonNode document) throws Exception {
		SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
				(builder) -> builder.schemas(Map.of("https://mailroom.test/openapi.json", document.toString())));
		String after = "";
		JsonNode page;
		do {
			page = api.get("/api/events?limit=100" + after).json(200).path("data");
			for (JsonNode event : page.path("events")) {
				String kind = event.path("type").stringValue();
				String schema = document.path("webhooks")
					.path(kind)
					.at("/post/requestBody/content/application~1json/schema/$ref")
					.stringValue();
				assertThat(schemas
					.getSchema(SchemaLocation.of("https://mailroom.test/openapi.json" + schema + "/properties/data"))
					.validate(event.path("data").toString(), InputFormat.JSON)).as(event.toString()).isEmpty();
				kinds.add(kind);
			}
			after = "&after=" + page.path("next_cursor").asString("");
		}
		while (page.path("has_more").booleanValue());
	}

	private static void signIn(Web api, String email, String password) throws Exception {
		api.use(api.post("/api/auth/login", """
				{"email": "%s", "password": "%s"}""".formatted(email, password))
			.json(200)
			.at("/data/access_token")
			.stringValue());
	}

	private static void execute(String sql) throws SQLException {
		try (Statement statement = database.createStatement()) {
			statement.execute(sql);
		}
	}

	private static String password() {
		String output = mailroom.output();
		String demo = output.substring(output.indexOf("  Demo "));
		return demo.lines().skip(1).findFirst().orElseThrow().replaceFirst("\\s*Password\\s+", "").strip();
	}

	/** The rows of a query, their columns separated by spaces. */
	private static List<String> rows(String sql) throws SQLException {
		List<String> rows = new ArrayList<>();
		try (Statement statement = database.createStatement(); ResultSet result = statement.executeQuery(sql)) {
			while (result.next()) {
				StringBuilder row = new StringBuilder();
				for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
					row.append((i > 1) ? " " : "").append(result.getString(i));
				}
				rows.add(row.toString());
			}
		}
		return rows;
	}

}
