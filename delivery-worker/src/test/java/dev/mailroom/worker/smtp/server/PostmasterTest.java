package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.domain.PlatformDomain;
import dev.mailroom.inbound.ReceivedMails;
import dev.mailroom.upkeep.PostmasterNotices;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.smtp.server.Postmaster.PostmasterSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class PostmasterTest {

	private static final String SENDER = "ann@out.test";

	@Autowired
	InboundListener listener;

	@Autowired
	ReceivedMails mails;

	@Autowired
	PostmasterNotices notices;

	@Autowired
	Accounts accounts;

	@Autowired
	PlatformDomain platform;

	private final UUID account = Given.account("free");

	private final UUID domain = Given.domain(this.account);

	private final String subject = "Help " + this.domain;

	private SendingServer server;

	@BeforeEach
	void connect() {
		Await.await(this.accounts.ensurePlatform().then(Mono.defer(() -> this.platform.ensure(Account.PLATFORM))));
		this.server = new SendingServer(this.listener.port());
	}

	@AfterEach
	void disconnect() {
		this.server.close();
	}

	@Test
	void onlyPostmasterAndAbuseExistOnThePlatformsHosts() {
		this.server.command("MAIL FROM:<>");
		for (String address : List.of("postmaster", "POSTMASTER", "Postmaster@Mailroom.Localhost",
				"abuse@mailroom.localhost", "postmaster@mx.mailroom.localhost", "abuse@mx.mailroom.localhost",
				"postmaster@bounce.mailroom.localhost", "Postmaster@bounce." + this.domain + ".test",
				"abuse@bounce." + this.domain + ".test", "postmaster@" + this.domain + ".test")) {
			assertThat(this.server.command("RCPT TO:<" + address + ">")).as(address).startsWith("250 ");
		}
		for (String other : List.of("abuse", "root", "postmaster@bounce.elsewhere.test", "postmaster@elsewhere.test",
				"sales@bounce." + this.domain + ".test", "sales@mx.mailroom.localhost", "postmaster@")) {
			assertThat(this.server.command("RCPT TO:<" + other + ">")).as(other).startsWith("550 5.1.1 ");
		}
	}

	@Test
	void mailToThemIsStoredForThePlatformAndForwardedOnce() {
		for (int i = 0; i < 2; i++) {
			assertThat(this.server.send(SENDER, List.of("postmaster", "abuse@bounce." + this.domain + ".test",
					"postmaster@" + this.domain + ".test"), mail("<1@out.test>")))
				.startsWith("250 ");
		}
		assertThat(stored(Account.PLATFORM)).containsExactly("{postmaster,abuse@bounce." + this.domain + ".test}");
		assertThat(stored(this.account)).containsExactly("{postmaster@" + this.domain + ".test}");
		assertThat(forwarded()).hasSize(1);
		assertThat(forwarded().getFirst()).startsWith("ann@out.test wrote to postmaster, abuse@bounce.")
			.contains("Your server is on fire.");
	}

	@Test
	void mailToAFeedbackAddressIsStoredUnlessItIsAReport() throws IOException {
		assertThat(this.server.send(SENDER, List.of("abuse@mailroom.localhost"), mail("<2@out.test>")))
			.startsWith("250 ");
		assertThat(forwarded()).hasSize(1);
		String report = Files.readString(Path.of("src/test/resources/feedback/arf-abuse.eml"))
			.replace("FW: Your order", this.subject);
		assertThat(
				this.server.send(SENDER, List.of("abuse@mailroom.localhost", "postmaster@mailroom.localhost"), report))
			.startsWith("250 ");
		assertThat(stored(Account.PLATFORM)).hasSize(1);
	}

	@Test
	void notificationsAndOwnMailAreNotForwarded() {
		assertThat(this.server.send("", List.of("postmaster"), mail("<3@out.test>"))).startsWith("250 ");
		assertThat(
				this.server.send(SENDER, List.of("postmaster"), mail("<" + UUID.randomUUID() + "@Mailroom.localhost>")))
			.startsWith("250 ");
		assertThat(stored(Account.PLATFORM)).hasSize(2);
		assertThat(forwarded()).isEmpty();
	}

	@Test
	void forwardingIsLimitedPerHourForEachClientAndInTotal() throws IOException {
		Postmaster postmaster = new Postmaster(this.mails, this.notices,
				new PostmasterSettings("mailroom.localhost", "mx.mailroom.localhost", Surroundings.OPERATOR));
		for (int client = 0; client < 21; client++) {
			for (int i = 0; i < 6; i++) {
				forward(postmaster, InetAddress.ofLiteral("192.0.2." + client), client + "." + i);
			}
			assertThat(forwarded()).as("five of each client").hasSize(Math.min(100, (client + 1) * 5));
		}
		assertThat(Given.rows("select subject from email where subject = 'Much mail to the postmaster' "
				+ "and created_at > now() - interval '1 minute'"))
			.isNotEmpty();
	}

	private void forward(Postmaster postmaster, InetAddress client, String id) throws IOException {
		IncomingMail incoming = new IncomingMail(client, "out.test", SENDER,
				mail("<" + id + "@out.test>").getBytes(StandardCharsets.UTF_8));
		Await.await(postmaster.forward(incoming, MailReader.read(incoming), CheckResult.PASS, List.of("postmaster")));
	}

	private String mail(String messageId) {
		return """
				From: Ann <ann@out.test>
				To: postmaster
				Subject: %s
				Message-ID: %s

				Your server is on fire.
				""".formatted(this.subject, messageId);
	}

	private List<String> stored(UUID account) {
		return Given.rows("select recipients from inbound_email where account_id = '%s' and subject = '%s'", account,
				this.subject);
	}

	private List<String> forwarded() {
		return Given.rows(
				"select text from email join email_content on email_id = email.id where to_emails = '{%s}' and subject = '%s'",
				Surroundings.OPERATOR, "To the postmaster: " + this.subject);
	}

}
