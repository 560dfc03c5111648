package dev.mailroom.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.mailroom.domain.TestDns;
import dev.mailroom.process.Database;
import dev.mailroom.process.Mailroom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Master;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/**
 * The web app in a browser: a newcomer signs up and sends the first mail, an operator
 * suspends an account, and both visit every page in both themes and two widths. Each
 * journey has accounts of its own; two run at a time.
 */
@Order(1)
class BrowserTest {

	/** A name that is looked up in DNS, unlike those under .test. */
	private static final String WRONG_DOMAIN = "news.quillmoor.net";

	/**
	 * The journeys, the longest first. The one of the operator, who needs a second
	 * factor, sets it up for the one that signs in as the operator later.
	 */
	private static final List<String> SCRIPTS = List.of("operator.mjs", "journey.mjs", "contacts.mjs", "campaign.mjs",
			"webhook.mjs", "team.mjs", "domain.mjs", "key.mjs", "pages.mjs");

	private static final int CONCURRENCY = 2;

	@TempDir
	private static Path temporary;

	private static TestDns dns;

	private static Mailroom mailroom;

	/** Servers whose lists a standby serves; none without {@code -Dtest.replica}. */
	private static final List<Database> SERVERS = new ArrayList<>();

	private static ExecutorService threads;

	private static final Map<String, Future<String>> RUNS = new HashMap<>();

	@BeforeAll
	static void start() throws Exception {
		Path zones = Files.createDirectory(temporary.resolve("zones"));
		Files.writeString(zones.resolve(WRONG_DOMAIN + ".zone"), """
				bounce.%1$s. 60 IN TXT "v=spf1 include:_spf.oldhost.example ~all"
				_dmarc.%1$s. 60 IN TXT "v=DMARC1; p=reject"
				""".formatted(WRONG_DOMAIN));
		dns = new TestDns((name) -> published(zones, name));
		Map<String, String> environment = new HashMap<>(
				Map.of("MAILROOM_DNS_SERVERS", dns.address(), "MAILROOM_OPERATOR_TOTP", "required"));
		environment.putAll(servers(System.getProperty("test.replica", "")));
		mailroom = Mailroom.begin(temporary.resolve("data"), environment).ready();
		Map<String, String> settings = Map.of("WRONG_DOMAIN", WRONG_DOMAIN, "ZONES", zones.toString(), "CODES",
				temporary.resolve("codes").toString());
		threads = Executors.newFixedThreadPool(CONCURRENCY);
		for (String script : SCRIPTS) {
			RUNS.put(script, threads.submit(() -> Journey.run(script, mailroom, settings)));
		}
	}

	@AfterAll
	static void stop() throws Exception {
		threads.shutdownNow();
		mailroom.close();
		dns.close();
		for (Database server : SERVERS) {
			server.close();
		}
	}

	/** Starts a primary and a standby that follows it, or whose replay is paused. */
	private static Map<String, String> servers(String state) throws Exception {
		if (state.isEmpty()) {
			return Map.of();
		}
		Database primary = new Database(temporary, Map.of("wal_keep_size", "256MB"));
		SERVERS.add(primary);
		String url = primary.furnish("mailroom");
		Database standby = primary.standby("standby", 0);
		SERVERS.add(standby);
		if (state.equals("paused")) {
			standby.run("postgres", "select pg_wal_replay_pause()");
		}
		return Map.of("MAILROOM_DB_URL", url, "MAILROOM_DB_USER", Database.APP, "MAILROOM_DB_REPLICA_URL",
				standby.url("mailroom"));
	}

	@Test
	void aNewcomerSendsTheFirstMailWithTheWebAppAlone() throws Throwable {
		await("journey.mjs");
	}

	@Test
	void contactsAreImportedAndATemplateIsMadeAndTested() throws Throwable {
		await("contacts.mjs");
	}

	@Test
	void anOperatorSetsUpASecondFactorFindsADelayedMailAndSuspendsItsAccount() throws Throwable {
		await("operator.mjs");
	}

	@Test
	void aCampaignIsComposedStartedPausedAndResumed() throws Throwable {
		await("campaign.mjs");
	}

	@Test
	void aFailingWebhookIsMendedAndAMailComesIn() throws Throwable {
		await("webhook.mjs");
	}

	@Test
	void aPersonJoinsATeamAndAnOwnerSignsInWithASecondFactor() throws Throwable {
		await("team.mjs");
	}

	@Test
	void aDomainWithAWrongRecordIsCorrectedAndVerified() throws Throwable {
		await("domain.mjs");
	}

	@Test
	void aKeyIsRotated() throws Throwable {
		await("key.mjs");
	}

	@Test
	void theMailboxTheDocumentationAndTheApiReferenceKeepToTheirPolicies() throws Throwable {
		await("pages.mjs");
	}

	/** Records of the zone files, which journeys write at any time. */
	private static List<Record> published(Path zones, Name name) {
		List<Record> records = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(zones, "*.zone")) {
			for (Path file : files) {
				try (Master master = new Master(file.toString(), Name.root)) {
					for (Record record = master.nextRecord(); record != null; record = master.nextRecord()) {
						if (record.getName().equals(name)) {
							records.add(record);
						}
					}
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return records;
	}

	/** Waits for the end of a journey and throws its failure. */
	private static void await(String script) throws Throwable {
		try {
			RUNS.getOrDefault(script, CompletableFuture.failedFuture(new AssertionError("No journey " + script))).get();
		}
		catch (ExecutionException ex) {
			throw ex.getCause();
		}
	}

}
