package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.mail.outcome.MessageIdMatches;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.smtp.server.Feedback.FeedbackKind;
import dev.mailroom.worker.smtp.server.Feedback.FeedbackSettings;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class FeedbackMatchingTest {

	private static final String FBL = "fbl@mailroom.localhost";

	@Autowired
	Feedback feedback;

	@Autowired
	ReturnPath returnPath;

	@Autowired
	Outcomes outcomes;

	@Autowired
	MessageIdMatches matches;

	@Autowired
	InboundChecks checks;

	@Autowired
	MeterRegistry registry;

	private final Scope sender = Given.sender("free");

	@Test
	void aComplaintWithoutReturnPathIsMatchedByMessageIdAndRecipientAndCountedOnce() {
		UUID mail = delivered("Ann@example.net");
		for (int i = 0; i < 3; i++) {
			assertThat(complained(mail, "<" + "ann@Example.net".toUpperCase(Locale.ROOT) + ">")).isTrue();
		}
		assertThat(statuses(mail)).containsExactly("complained");
		assertThat(suppressed()).containsExactly("ann@example.net");
		assertThat(
				Given.rows("select sum(complained) from reputation_day where account_id = '%s'", this.sender.account()))
			.containsExactly("1");
		assertThat(this.registry.get("mailroom.feedback").tags("source", "arf", "kind", "complaint").counter().count())
			.isPositive();
	}

	@ParameterizedTest
	@ValueSource(strings = { "redacted", "<redacted@>", "", "Gj6eT7A=@example.net", "rfc822;ann@example.net" })
	void aRedactedRecipientIsTheOnlyRecipientOfTheMail(String recipient) {
		UUID mail = delivered("ann@example.net");
		assertThat(complained(mail, recipient)).isTrue();
		assertThat(statuses(mail)).containsExactly("complained");
	}

	@Test
	void complaintsOfOtherRecipientsOrUnknownMailsAreIgnored() {
		UUID mail = delivered("ann@example.net", "bob@example.net");
		assertThat(complained(mail, "redacted")).isFalse();
		assertThat(complained(mail, "Gj6eT7A=@example.net")).isFalse();
		assertThat(complained(mail, "eve@example.net")).isFalse();
		assertThat(complained(mail, "bob@example.net")).as("Ann could complain in the name of Bob").isFalse();
		assertThat(complained(UUID.randomUUID(), "ann@example.net")).isFalse();
		UUID list = delivered("list@lists.example");
		assertThat(complained(list, "eve@example.net")).isFalse();
		assertThat(statuses(mail)).containsExactly("delivered", "delivered");
		assertThat(statuses(list)).containsExactly("delivered");
		assertThat(suppressed()).isEmpty();
	}

	@Test
	void aBounceToAnotherAddressThanTheReturnPathIsIgnored() {
		UUID mail = delivered("gone@example.net");
		String bounce = sample("postfix-unknown").replace("Subject: Out of office hours",
				"Message-ID: <" + mail + "@shop.test>\nSubject: Out of office hours");
		assertThat(applied(bounce)).isFalse();
		assertThat(statuses(mail)).containsExactly("delivered");
		assertThat(suppressed()).isEmpty();
	}

	@Test
	void aHardBounceAfterForwardingDoesNotSuppressTheRecipient() {
		for (String to : List.of("ann@uni.test", "alias@example.net")) {
			UUID mail = delivered(to);
			UUID delivery = UUID
				.fromString(Given.rows("select id::text from delivery where email_id = '%s'", mail).getFirst());
			String path = this.returnPath.of(this.sender.account(), delivery, "shop.test");
			Await.await(this.feedback.take(path, incoming(ReportReadingTest.sample("postfix-unknown"))));
			assertThat(statuses(mail)).containsExactly("bounced");
		}
		assertThat(suppressed()).containsExactly("alias@example.net");
	}

	@Test
	void aReportOfAnUnknownSenderIsMarkedAsSuch() {
		complained(delivered("angry@example.net"), "angry@example.net");
		assertThat(Given.rows(
				"select complained || ' ' || unverified_complained from reputation_day " + "where account_id = '%s'",
				this.sender.account()))
			.containsExactly("1 1");
	}

	@Test
	void aReportCountsTowardsAPauseOnlyIfSpfProvesAConfiguredSource() {
		Surroundings.DNS.publish("TXT", "arf.loop.test", "v=spf1 ip4:192.0.2.1 -all");
		Surroundings.DNS.publish("TXT", "own.test", "v=spf1 ip4:192.0.2.2 -all");
		Feedback feedback = new Feedback(this.outcomes, this.returnPath, this.matches, this.checks,
				new FeedbackSettings("mailroom.localhost", List.of("loop.test")), this.registry);
		assertThat(unverified(feedback, "192.0.2.2", "fbl@arf.loop.test")).as("a forged sender").isEqualTo("1 1");
		assertThat(unverified(feedback, "192.0.2.2", "fbl@own.test")).as("another domain").isEqualTo("2 2");
		assertThat(unverified(feedback, "192.0.2.1", "fbl@arf.loop.test")).as("the source").isEqualTo("3 2");
	}

	/** The complaints, and the unverified ones, after another from a client. */
	private String unverified(Feedback feedback, String client, String from) {
		UUID mail = delivered("angry@example.net");
		byte[] report = sample("arf-stripped").replace("%ID%", mail.toString())
			.replace("%READER%", "angry@example.net")
			.replace("\n", "\r\n")
			.getBytes(StandardCharsets.UTF_8);
		IncomingMail incoming = new IncomingMail(InetAddress.ofLiteral(client), "mx.else.test", from, report);
		assertThat(Await.await(feedback.take(FBL, incoming))).isEqualTo(FeedbackKind.APPLIED);
		return Given.rows(
				"select sum(complained) || ' ' || sum(unverified_complained) from reputation_day where account_id = '%s'",
				this.sender.account())
			.getFirst();
	}

	@Test
	void sourcesOfReportsAreDomainsWithTheirSubdomains() {
		FeedbackSettings settings = new FeedbackSettings("p.test", List.of(" Loop.test", ""));
		assertThat(settings.hasSource(Set.of("else.test", "arf.loop.test"))).isTrue();
		assertThat(settings.hasSource(Set.of("loop.test"))).isTrue();
		assertThat(settings.hasSource(Set.of("notloop.test", "test"))).isFalse();
		assertThat(settings.hasSource(Set.of())).isFalse();
	}

	private boolean complained(UUID mail, String recipient) {
		return applied(sample("arf-stripped").replace("%ID%", mail.toString()).replace("%READER%", recipient));
	}

	private boolean applied(String report) {
		return Await.await(this.feedback.take(FBL,
				incoming(report.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)))) == FeedbackKind.APPLIED;
	}

	private static IncomingMail incoming(byte[] raw) {
		return new IncomingMail(InetAddress.getLoopbackAddress(), "mx.else.test", "", raw);
	}

	private static String sample(String name) {
		return new String(ReportReadingTest.sample(name), StandardCharsets.UTF_8);
	}

	private UUID delivered(String... recipients) {
		UUID mail = Given.mail(this.sender, recipients);
		Given.run("delete from queue where email_id = '%1$s'; "
				+ "update delivery set status = 'delivered', settled_at = now() where email_id = '%1$s'", mail);
		return mail;
	}

	private static List<String> statuses(UUID mail) {
		return Given.rows("select status from delivery where email_id = '%s' order by position", mail);
	}

	private List<String> suppressed() {
		return Given.rows("select address from suppression where account_id = '%s'", this.sender.account());
	}

}
