package dev.mailroom.worker.smtp.server;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
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
import org.apache.james.jdkim.DKIMSigner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

	/** Trusts a feedback loop, whose server is 192.0.2.1. */
	private Feedback loop;

	@BeforeEach
	void trustALoop() {
		Surroundings.DNS.publish("TXT", "arf.loop.test", "v=spf1 ip4:192.0.2.1 -all");
		this.loop = new Feedback(this.outcomes, this.returnPath, this.matches, this.checks,
				new FeedbackSettings("mailroom.localhost", List.of("loop.test")), this.registry);
	}

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
			Await.await(this.feedback.take(path(mail), incoming(ReportReadingTest.sample("postfix-unknown"))));
			assertThat(statuses(mail)).containsExactly("bounced");
		}
		assertThat(suppressed()).containsExactly("alias@example.net");
	}

	@Test
	void aMessageIdAloneNeitherChangesADeliveryNorSuppressesAnybody() {
		UUID mail = delivered("victim@example.net");
		String report = sample("arf-stripped").replace("%ID%", mail.toString()).replace("%READER%", "redacted");
		assertThat(take(this.feedback, incoming(report))).isEqualTo(FeedbackKind.UNVERIFIED);
		assertThat(take(this.loop, from("192.0.2.2", "fbl@arf.loop.test", report))).isEqualTo(FeedbackKind.UNVERIFIED);
		assertThat(statuses(mail)).containsExactly("delivered");
		assertThat(suppressed()).isEmpty();
		assertThat(this.registry.get("mailroom.feedback").tags("source", "arf", "kind", "unverified").counter().count())
			.isPositive();
	}

	@Test
	void aSignedComplaintWithAFeedbackIdMarksItsDeliveryAlone() throws Exception {
		UUID mail = delivered("ann@example.net", "bob@example.net");
		String bob = deliveries(mail).getLast();
		String report = complaint(mail, this.returnPath.feedbackId(this.sender.account(), UUID.fromString(bob)));
		assertThat(take(this.feedback, incoming(signed(report)))).isEqualTo(FeedbackKind.APPLIED);
		assertThat(statuses(mail)).containsExactly("delivered", "complained");
		assertThat(suppressed()).containsExactly("bob@example.net");
		assertThat(Given.rows("select sum(unverified_complained) from reputation_day where account_id = '%s'",
				this.sender.account()))
			.as("a loop that is not configured pauses no account")
			.containsExactly("1");
		assertThat(this.registry.get("mailroom.feedback").tags("source", "cfbl", "kind", "complaint").counter().count())
			.isPositive();
	}

	@Test
	void aComplaintWithAFeedbackIdIsDroppedWithoutASignatureOfItsAuthorOrAValidStamp() throws Exception {
		UUID mail = delivered("ann@example.net");
		UUID delivery = UUID.fromString(deliveries(mail).getFirst());
		String id = this.returnPath.feedbackId(this.sender.account(), delivery);
		String path = this.returnPath.of(this.sender.account(), delivery, "shop.test");
		String report = complaint(mail, id);
		assertThat(take(this.loop, from("192.0.2.1", "fbl@arf.loop.test", report.replace("\r", ""))))
			.as("SPF of another domain")
			.isEqualTo(FeedbackKind.UNVERIFIED);
		byte[] forged = new String(signed(report), StandardCharsets.UTF_8).replace("loop@cfbl.test", "loop@isp.test")
			.getBytes(StandardCharsets.UTF_8);
		assertThat(take(this.feedback, incoming(forged))).isEqualTo(FeedbackKind.UNVERIFIED);
		String other = (id.charAt(60) == '0') ? "1" : "0";
		for (String wrong : List.of(id.substring(0, 60) + other, path.substring(2, 63))) {
			assertThat(take(this.loop, incoming(signed(complaint(mail, wrong))))).as(wrong)
				.isEqualTo(FeedbackKind.UNMATCHED);
		}
		assertThat(statuses(mail)).containsExactly("delivered");
		assertThat(suppressed()).isEmpty();
	}

	private static String complaint(UUID mail, String id) {
		return sample("arf-cfbl").replace("%ID%", id).replace("%MAIL%", mail.toString()).replace("\n", "\r\n");
	}

	/**
	 * The report with a signature of its author's domain, made by an independent library.
	 */
	private static byte[] signed(String report) throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
		generator.initialize(2048);
		KeyPair keys = generator.generateKeyPair();
		Surroundings.DNS.publish("TXT", "s._domainkey.cfbl.test",
				"v=DKIM1; k=rsa; p=" + Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()));
		String field = new DKIMSigner(
				"v=1; a=rsa-sha256; c=relaxed/relaxed; d=cfbl.test; s=s; h=from:to:subject; bh=; b=;",
				keys.getPrivate())
			.sign(new ByteArrayInputStream(report.getBytes(StandardCharsets.UTF_8)));
		return (field + "\r\n" + report).getBytes(StandardCharsets.UTF_8);
	}

	private static List<String> deliveries(UUID mail) {
		return Given.rows("select id::text from delivery where email_id = '%s' order by position", mail);
	}

	@Test
	void aReportWithAReturnPathCountsTowardsAPauseOnlyIfItsSourceIsProven() {
		Surroundings.DNS.publish("TXT", "own.test", "v=spf1 ip4:192.0.2.2 -all");
		assertThat(unverified("192.0.2.2", "fbl@arf.loop.test")).as("a forged sender").isEqualTo("1 1");
		assertThat(unverified("192.0.2.2", "fbl@own.test")).as("another domain").isEqualTo("2 2");
		assertThat(unverified("192.0.2.1", "fbl@arf.loop.test")).as("the source").isEqualTo("3 2");
	}

	/** The complaints, and the unverified ones, after another from a client. */
	private String unverified(String client, String from) {
		String report = sample("arf-abuse").replace("%PATH%", path(delivered("angry@example.net")));
		assertThat(take(this.loop, from(client, from, report))).isEqualTo(FeedbackKind.APPLIED);
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
		assertThat(settings.hasSource(Set.of("notloop.test", "test", "loop.test@else.test"))).isFalse();
		assertThat(settings.hasSource(Set.of())).isFalse();
	}

	@Test
	void aFreeMailDomainIsNoSourceButOneOfItsAddressesIs() {
		assertThatIllegalArgumentException().isThrownBy(() -> new FeedbackSettings("p.test", List.of("Hotmail.com")))
			.withMessageContaining("staff@hotmail.com");
		FeedbackSettings settings = new FeedbackSettings("p.test", List.of("Staff@Hotmail.com"));
		assertThat(settings.hasSource(Set.of("hotmail.com", "staff@hotmail.com"))).isTrue();
		assertThat(settings.hasSource(Set.of("hotmail.com", "eve@hotmail.com"))).isFalse();
	}

	@Test
	void anAddressIsProvenByTheReturnPathAndNotByTheHeader() {
		Surroundings.DNS.publish("TXT", "free.test", "v=spf1 ip4:192.0.2.1 -all");
		byte[] mail = "From: staff@free.test\r\n\r\nx".getBytes(StandardCharsets.UTF_8);
		assertThat(Await.await(this.checks.senders(
				new IncomingMail(InetAddress.ofLiteral("192.0.2.1"), "mx.else.test", "Eve@free.test", mail),
				"staff@free.test")))
			.containsExactlyInAnyOrder("free.test", "eve@free.test");
	}

	private boolean complained(UUID mail, String recipient) {
		String report = sample("arf-stripped").replace("%ID%", mail.toString()).replace("%READER%", recipient);
		return take(this.loop, from("192.0.2.1", "fbl@arf.loop.test", report)) == FeedbackKind.APPLIED;
	}

	private boolean applied(String report) {
		return take(this.feedback, incoming(report)) == FeedbackKind.APPLIED;
	}

	private static FeedbackKind take(Feedback feedback, IncomingMail report) {
		return Await.await(feedback.take(FBL, report));
	}

	private String path(UUID mail) {
		UUID delivery = UUID
			.fromString(Given.rows("select id::text from delivery where email_id = '%s'", mail).getFirst());
		return this.returnPath.of(this.sender.account(), delivery, "shop.test");
	}

	private static IncomingMail incoming(String report) {
		return incoming(report.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
	}

	private static IncomingMail from(String client, String sender, String report) {
		return new IncomingMail(InetAddress.ofLiteral(client), "mx.else.test", sender,
				report.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
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
