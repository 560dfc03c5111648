package dev.mailroom.system.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.process.Database;
import dev.mailroom.process.Program;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
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

	/** Mails of each part of the loss of a region. */
	private static final int REGION_MAILS = 50;

	/** A key whose first use is recorded by the request that has it. */
	private static String unusedKey = "";

	@TempDir
	private static Path directory;

	private static ReplicatedInstallation installation;

	private static ReplicatedDatabase database;

	@BeforeAll
	static void start() throws Exception {
		installation = new ReplicatedInstallation(directory, () -> {
			database = new ReplicatedDatabase(directory, ReplicatedInstallation.NAME);
			return database;
		});
		try (Web web = installation.signedIn()) {
			String domain = web.get("/api/domains").json(200).at("/data/domains/0/id").stringValue();
			unusedKey = web.post("/api/api-keys", "{\"domainId\": \"%s\", \"keyName\": \"unused\"}".formatted(domain))
				.json(201)
				.at("/data/apiKey/key")
				.stringValue();
		}
	}

	@AfterAll
	static void stop() throws Exception {
		if (installation != null) {
			installation.close();
		}
	}

	@Test
	@Order(1)
	void anApiThatIsReadyAnswers503WhileNoServerTakesWritesAndAPromotedStandbyHasAllMail() throws Exception {
		Database killed = database.primary();
		try (FailoverLoad load = new FailoverLoad(installation)) {
			killed.kill();
			assertThatRequestsAreRefusedByAReadyApi(load.run());
			promote(load);
			load.assertThatNothingIsLost("primary killed");
		}
		database.replace(killed);
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
		Database stopped;
		try (FailoverLoad load = new FailoverLoad(installation)) {
			stopped = database.switchOver();
			load.awaitMore();
			load.assertThatNothingIsLost("switchover");
		}
		database.replace(stopped);
	}

	@Test
	@Order(3)
	void mailIsAcceptedAgainWhileTheFormerPrimaryIsFrozen() throws Exception {
		Database frozen = database.primary();
		try (FailoverLoad load = new FailoverLoad(installation)) {
			frozen.freeze();
			promote(load);
			load.assertThatNothingIsLost("primary frozen");
		}
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
	@Tag("nightly")
	void aStandbyCellSendsAllMailThatTheLostRegionHadAccepted() throws Exception {
		database.standbys().getLast().restart();
		database.awaitStandbys();
		Run run = new Run(installation);
		run.post(Stream.generate(run::nextMail).limit(REGION_MAILS).toList());
		installation.all().getLast().kill();
		run.post(Stream.generate(run::nextMail).limit(REGION_MAILS).toList());
		installation.apis().getFirst().kill();
		installation.broker().kill();
		database.primary().kill();
		long lost = System.nanoTime();
		database.promote();
		installation.startStandbyCell();
		run.post(List.of(run.nextBatch(REGION_MAILS)));
		System.out.printf("The standby cell accepted mail %d ms after the loss of the region%n",
				run.acceptedAfter(lost).toMillis());
		Run.Verdict verdict = run.verdict();
		assertThat(verdict.lost()).isZero();
		assertThat(verdict.recipients()).isEqualTo(3 * REGION_MAILS);
	}

	@Test
	@Order(6)
	void apiAndWorkerStopWithinTheDrainTimeoutWithoutABroker() throws Exception {
		installation.broker().kill();
		for (Program program : installation.all()) {
			assertThat(program.stop(ReplicatedInstallation.DRAIN_TIMEOUT)).isTrue();
		}
	}

	private static void promote(FailoverLoad load) throws Exception {
		database.promote();
		long promoted = System.nanoTime();
		load.awaitMore();
		System.out.printf("Mail was accepted %d ms after the promotion%n",
				load.run().acceptedAfter(promoted).toMillis());
	}

}
