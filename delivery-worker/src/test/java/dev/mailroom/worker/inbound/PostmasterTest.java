package dev.mailroom.worker.inbound;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.domain.PlatformDomain;
import dev.mailroom.inbound.Destination;
import dev.mailroom.inbound.ReceivedMails;
import dev.mailroom.notice.PostmasterNotices;
import dev.mailroom.worker.Surroundings;
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
	ReceivedMails arrivals;

	@Autowired
	PostmasterNotices notices;

	@Autowired
	Accounts accounts;

	@Autowired
	PlatformDomain platform;

	private final UUID account = Given.account("free");

	private final UUID domain = Given.domain(this.account);

	private final String subject = "Help " + this.domain;

	private Stranger stranger;

	@BeforeEach
	void connect() {
		this.accounts.ensurePlatform()
			.then(Mono.defer(() -> this.platform.ensure(Account.PLATFORM)))
			.block(Duration.ofSeconds(30));
		this.stranger = new Stranger(this.listener.port());
	}

	@AfterEach
	void hangUp() {
		this.stranger.close();
	}

	@Test
	void everyServersMailboxesAreThereAndNoOthers() {
		this.stranger.say("MAIL FROM:<>");
		for (String here : List.of("postmaster", "POSTMASTER", "Postmaster@Mailroom.Localhost",
				"abuse@mailroom.localhost", "postmaster@mx.mailroom.localhost", "abuse@mx.mailroom.localhost",
				"postmaster@bounce.mailroom.localhost", "Postmaster@bounce." + this.domain + ".test",
				"abuse@bounce." + this.domain + ".test", "postmaster@" + this.domain + ".test")) {
			assertThat(this.stranger.say("RCPT TO:<" + here + ">")).as(here).startsWith("250 ");
		}
		for (String other : List.of("abuse", "root", "postmaster@bounce.elsewhere.test", "postmaster@elsewhere.test",
				"sales@bounce." + this.domain + ".test", "sales@mx.mailroom.localhost", "postmaster@")) {
			assertThat(this.stranger.say("RCPT TO:<" + other + ">")).as(other).startsWith("550 5.1.1 ");
		}
	}

	@Test
	void whatIsWrittenToThemIsThePlatformsAndSentToTheOperatorOnce() {
		for (int i = 0; i < 2; i++) {
			assertThat(this.stranger.send(SENDER, List.of("postmaster", "abuse@bounce." + this.domain + ".test",
					"postmaster@" + this.domain + ".test"), letter("<1@out.test>")))
				.startsWith("250 ");
		}
		assertThat(kept(Account.PLATFORM)).containsExactly("{postmaster,abuse@bounce." + this.domain + ".test}");
		assertThat(kept(this.account)).containsExactly("{postmaster@" + this.domain + ".test}");
		assertThat(told()).hasSize(1);
		assertThat(told().getFirst()).startsWith("ann@out.test wrote to postmaster, abuse@bounce.")
			.contains("Your server is on fire.");
	}

	@Test
	void aLetterToWhereReportsComeIsKeptAndAReportIsNot() throws IOException {
		assertThat(this.stranger.send(SENDER, List.of("abuse@mailroom.localhost"), letter("<2@out.test>")))
			.startsWith("250 ");
		assertThat(told()).hasSize(1);
		String report = Files.readString(Path.of("src/test/resources/feedback/arf-abuse.eml"))
			.replace("FW: Your order", this.subject);
		assertThat(this.stranger.send(SENDER, List.of("abuse@mailroom.localhost", "postmaster@mailroom.localhost"),
				report))
			.startsWith("250 ");
		assertThat(kept(Account.PLATFORM)).hasSize(1);
	}

	@Test
	void nothingGoesInCircles() {
		assertThat(this.stranger.send("", List.of("postmaster"), letter("<3@out.test>"))).startsWith("250 ");
		assertThat(this.stranger.send(SENDER, List.of("postmaster"),
				letter("<" + UUID.randomUUID() + "@Mailroom.localhost>")))
			.startsWith("250 ");
		assertThat(kept(Account.PLATFORM)).hasSize(2);
		assertThat(told()).isEmpty();
	}

	@Test
	void whoeverFloodsThePostmasterDoesNotFloodTheOperator() throws IOException {
		Postmaster fresh = new Postmaster(this.arrivals, this.notices,
				new PostmasterSettings("mailroom.localhost", "mx.mailroom.localhost", Surroundings.OPERATOR));
		InboundReceiver.Recipient here = new InboundReceiver.Recipient("postmaster",
				new Destination.Owner(Account.PLATFORM, UUID.randomUUID()));
		for (int i = 0; i < 25; i++) {
			IncomingMail letter = new IncomingMail(InetAddress.getLoopbackAddress(), "out.test", SENDER,
					letter("<" + i + "@out.test>").getBytes(StandardCharsets.UTF_8));
			fresh.tell(letter, MailReader.read(letter), "PASS", List.of(here)).block(Duration.ofSeconds(30));
		}
		assertThat(told()).hasSize(20);
	}

	private String letter(String messageId) {
		return """
				From: Ann <ann@out.test>
				To: postmaster
				Subject: %s
				Message-ID: %s

				Your server is on fire.
				""".formatted(this.subject, messageId);
	}

	private List<String> kept(UUID account) {
		return Given.rows("select recipients from inbound_email where account_id = '%s' and subject = '%s'", account,
				this.subject);
	}

	private List<String> told() {
		return Given.rows(
				"select text from email join email_content on email_id = email.id where to_emails = '{%s}' and subject = '%s'",
				Surroundings.OPERATOR, "To the postmaster: " + this.subject);
	}

}
