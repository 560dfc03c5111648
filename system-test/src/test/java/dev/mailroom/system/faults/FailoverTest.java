package dev.mailroom.system.faults;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Await;
import dev.mailroom.process.Database;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import dev.mailroom.system.faults.Run.Verdict;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failover of PostgreSQL under load of single mails, batches, a campaign and webhook
 * calls: the API and a worker find the promoted standby by themselves, and no accepted
 * mail is lost. Each test leaves a primary with two standbys, except those that end parts
 * for good, which are last.
 */
@Isolated("short leases need the whole machine")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailoverTest {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final int CONTACTS = 150;

	/** Mails of a campaign in a minute, so that it lasts longer than a failover. */
	private static final int PACE = 3_000;

	/** Events of the webhook calls. */
	private static final Queue<String> called = new ConcurrentLinkedQueue<>();

	private static HttpServer hooks;

	/** A key whose first use is recorded by the request that has it. */
	private static String unusedKey = "";

	@TempDir
	private static Path directory;

	private static ReplicatedInstallation installation;

	private static ReplicatedDatabase database;

	@BeforeAll
	static void start() throws Exception {
		installation = new ReplicatedInstallation(directory);
		database = installation.database();
		hooks = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		hooks.createContext("/", (call) -> {
			called.add(call.getRequestHeaders().getFirst("webhook-id"));
			call.sendResponseHeaders(204, -1);
			call.close();
		});
		hooks.start();
		try (Web web = new Web(installation.apis().getFirst().apiPort())) {
			web.use(web
				.post("/api/auth/login",
						"{\"email\": \"%s\", \"password\": \"%s\"}".formatted(Tenant.EMAIL, Tenant.PASSWORD))
				.json(200)
				.at("/data/access_token")
				.stringValue());
			web.post("/api/webhooks/endpoints", "{\"url\": \"http://localhost:%d/\", \"events\": [\"email.delivered\"]}"
				.formatted(hooks.getAddress().getPort())).json(201);
			String domain = web.get("/api/domains").json(200).at("/data/domains/0/id").stringValue();
			unusedKey = web.post("/api/api-keys", "{\"domainId\": \"%s\", \"keyName\": \"unused\"}".formatted(domain))
				.json(201)
				.at("/data/apiKey/key")
				.stringValue();
		}
	}

	@AfterAll
	static void stop() throws Exception {
		if (hooks != null) {
			hooks.stop(0);
		}
		if (installation != null) {
			installation.close();
		}
	}

	@Test
	@Order(1)
	void anApiThatIsReadyAnswers503WhileNoServerTakesWritesAndAPromotedStandbyHasAllMail() throws Exception {
		Run run = new Run(installation);
		Database killed = database.primary();
		try (CampaignClient campaign = new CampaignClient(installation.apis().getFirst().apiPort());
				SteadyLoad load = new SteadyLoad(installation, run)) {
			String contacts = startCampaign(campaign);
			awaitMore(run);
			killed.kill();
			assertThatRequestsAreRefusedByAReadyApi(run);
			promote(run);
			Await.until("the campaign is sent", TIMEOUT, () -> campaign.status().equals("sent"));
			load.stop();
			assertThatNothingIsLost("primary killed", run);
			assertThatEachContactGotTheMail(contacts);
		}
		assertThatEachEventWasCalled();
		database.replace(killed);
	}

	/** Starts a campaign and returns its name, with which the contacts begin. */
	private static String startCampaign(CampaignClient campaign) throws Exception {
		String name = "campaign-" + System.nanoTime();
		String book = campaign.createBook(name);
		installation
			.rows("""
					insert into contact (id, account_id, contact_book_id, email, email_key, subscribed, created_at, updated_at)
					select gen_random_uuid(), account_id, id, address, address, true, now(), now()
					  from contact_book
					 cross join lateral (select name || '-' || number || '@take.test' as address
					                       from generate_series(1, %d) as number) as entry
					 where id = '%s' returning id
					"""
				.formatted(CONTACTS, book));
		campaign.create(Map.of("name", name, "from", "Ann <a@" + installation.tenant().domain() + ">", "subject", name,
				"contact_book_id", book, "html_content", "<p>News</p>", "pace", PACE));
		assertThat(campaign.act("start")).isTrue();
		return name;
	}

	private static void assertThatEachContactGotTheMail(String contacts) throws Exception {
		Map<String, List<Integer>> copies = installation.copies(contacts);
		assertThat(copies).hasSize(CONTACTS);
		for (List<String> row : installation
			.rows("select recipient, ambiguous from delivery where recipient like '" + contacts + "-%'")) {
			assertThat(copies.get(row.getFirst())).as(row.toString())
				.hasSizeLessThanOrEqualTo(1 + Integer.parseInt(row.getLast()));
		}
	}

	private static void assertThatEachEventWasCalled() throws Exception {
		List<String> events = installation.rows("select id from event where kind = 'email.delivered'")
			.stream()
			.map(List::getFirst)
			.toList();
		Await.until("each event was called", TIMEOUT, () -> called.containsAll(events));
		System.out.printf("%d events, %d webhook calls%n", events.size(), called.size());
	}

	private static void assertThatRequestsAreRefusedByAReadyApi(Run run) throws Exception {
		Program api = installation.apis().getFirst();
		Await.until("the API knows that the database is away", TIMEOUT, () -> api.health("") == 503);
		assertThat(api.health("/readiness")).isEqualTo(200);
		try (Web web = new Web(api.apiPort())) {
			web.use(installation.tenant().key());
			Web.Answer answer = web.post("/api/emails", run.nextMail());
			assertThat(answer.status()).as(answer.body()).isEqualTo(503);
			assertThat(answer.headers().firstValue("Retry-After")).isPresent();
		}
	}

	@Test
	@Order(2)
	void aPlannedSwitchoverLosesNoMail() throws Exception {
		Run run = new Run(installation);
		Database stopped;
		try (SteadyLoad load = new SteadyLoad(installation, run)) {
			awaitMore(run);
			stopped = database.switchOver();
			awaitMore(run);
			load.stop();
		}
		assertThatNothingIsLost("switchover", run);
		database.replace(stopped);
	}

	@Test
	@Order(3)
	void mailIsAcceptedAgainWhileTheFormerPrimaryIsFrozen() throws Exception {
		Run run = new Run(installation);
		Database frozen = database.primary();
		try (SteadyLoad load = new SteadyLoad(installation, run)) {
			awaitMore(run);
			frozen.freeze();
			promote(run);
			load.stop();
		}
		assertThatNothingIsLost("primary frozen", run);
		frozen.kill();
		database.replace(frozen);
	}

	@Test
	@Order(4)
	void aCommitThatNoStandbyStoresIsRefusedAndItsRetryIsAcceptedOnce() throws Exception {
		Run run = new Run(installation);
		String mail = run.nextMail();
		Map<String, String> key = Map.of("Idempotency-Key", run.name());
		for (Database standby : database.standbys()) {
			standby.kill();
		}
		try (Web web = new Web(installation.apis().getFirst().apiPort())) {
			web.use(unusedKey);
			Web.Answer refused = web.post("/api/emails", mail, key);
			assertThat(refused.status()).as(refused.body()).isEqualTo(503);
			assertThat(refused.headers().firstValue("Retry-After")).isPresent();
			assertThat(run.mails()).isZero();
			database.standbys().getFirst().restart();
			Await.until("the mail is accepted", TIMEOUT, () -> web.post("/api/emails", mail, key).status() == 200);
		}
		assertThat(run.mails()).isOne();
	}

	@Test
	@Order(5)
	void apiAndWorkerStopWithinTheDrainTimeoutWithoutABroker() throws Exception {
		installation.broker().kill();
		for (Program program : installation.all()) {
			assertThat(program.stop(ReplicatedInstallation.DRAIN_TIMEOUT)).isTrue();
		}
	}

	private static void promote(Run run) throws Exception {
		database.promote();
		long promoted = System.nanoTime();
		awaitMore(run);
		System.out.printf("Mail was accepted %d ms after the promotion%n", run.acceptedAfter(promoted).toMillis());
	}

	private static void awaitMore(Run run) {
		int before = run.acknowledged();
		Await.until("20 more mails are acknowledged", TIMEOUT, () -> run.acknowledged() >= before + 20);
	}

	private static void assertThatNothingIsLost(String event, Run run) throws Exception {
		Verdict verdict = run.verdict();
		System.out.printf("%s: %d mails accepted, longest time without one %d ms, %d lost, %d twice, %d unanswered%n",
				event, run.acknowledged(), run.longestPause().toMillis(), verdict.lost(), verdict.twice(),
				verdict.possible());
		assertThat(verdict.lost()).isZero();
		assertThat(verdict.recipients()).isEqualTo(run.acknowledged());
	}

}
