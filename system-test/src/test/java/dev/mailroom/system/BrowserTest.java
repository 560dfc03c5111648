package dev.mailroom.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The web app in a browser: a newcomer signs up and sends the first mail, an operator
 * suspends an account, and both visit every page in both themes and two widths. Pictures
 * are in {@code target/pictures}.
 */
class BrowserTest {

	private static final Path SCRIPTS = Path.of("src/test/browser");

	private static final Path PICTURES = Path.of("target/pictures");

	/** A name that is looked up in DNS, unlike those under .test. */
	private static final String WRONG_DOMAIN = "news.quillmoor.net";

	private static final int TIMEOUT_MINUTES = 8;

	@TempDir
	private static Path temporary;

	private static NameServer dns;

	private static Mailroom mailroom;

	@BeforeAll
	static void start() throws Exception {
		dns = new NameServer(Map.of("bounce." + WRONG_DOMAIN, "v=spf1 include:_spf.oldhost.example ~all",
				"_dmarc." + WRONG_DOMAIN, "v=DMARC1; p=reject"));
		mailroom = Mailroom.begin(temporary.resolve("data"), Map.of("MAILROOM_DNS_SERVERS", dns.address())).ready();
	}

	@AfterAll
	static void stop() throws Exception {
		mailroom.close();
		dns.close();
	}

	@Test
	void aNewcomerSendsTheFirstMailWithTheWebAppAlone() throws Exception {
		assertThat(run("journey.mjs")).contains("all checks passed");
	}

	@Test
	void contactsAreImportedAndATemplateIsMadeAndTested() throws Exception {
		assertThat(run("contacts.mjs")).contains("all checks passed");
	}

	@Test
	void anOperatorFindsADelayedMailAndSuspendsItsAccount() throws Exception {
		assertThat(run("operator.mjs")).contains("all checks passed");
	}

	@Test
	void aCampaignIsComposedStartedPausedAndResumed() throws Exception {
		assertThat(run("campaign.mjs")).contains("all checks passed");
	}

	@Test
	void aFailingWebhookIsMendedAndAMailComesIn() throws Exception {
		assertThat(run("webhook.mjs")).contains("all checks passed");
	}

	@Test
	void aPersonJoinsATeamAndAnOwnerSignsInWithASecondFactor() throws Exception {
		assertThat(run("team.mjs")).contains("all checks passed");
	}

	@Test
	void theMailboxAndTheApiReferenceKeepToTheirPolicies() throws Exception {
		assertThat(run("pages.mjs")).contains("all checks passed");
	}

	/** Output of a script, which must exit with 0. */
	private static String run(String script) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder("node", script).directory(SCRIPTS.toFile())
			.redirectErrorStream(true);
		builder.environment()
			.putAll(Map.of("API", Integer.toString(mailroom.port("API")), "CATCHER",
					Integer.toString(mailroom.port("SMTP")), "ADMIN", Integer.toString(mailroom.port("Admin")),
					"MAILBOX", Integer.toString(mailroom.port("Mailbox")), "INBOUND",
					Integer.toString(mailroom.port("Inbound")), "WRONG_DOMAIN", WRONG_DOMAIN, "PICTURES",
					PICTURES.toAbsolutePath().toString(), "OPERATOR", mailroom.word("Operator"), "PASSWORD",
					mailroom.word("Password")));
		Process process = builder.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
		return output;
	}

}
