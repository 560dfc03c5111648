package dev.mailroom.worker.send;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.domain.TestDns;
import dev.mailroom.worker.DeliveryWorker;
import dev.mailroom.worker.ScriptedSmtpServer;
import dev.mailroom.worker.feedback.Feedback;
import dev.mailroom.worker.feedback.FeedbackKind;
import dev.mailroom.worker.upkeep.TransportEndpoint;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.context.EmbeddedKafka;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = DeliveryWorker.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "spring.config.name=" + DeliveryWorker.CONFIG, "management.server.port=-1" })
@ContextConfiguration(initializers = TestDatabase.class)
@EmbeddedKafka(bootstrapServersProperty = "spring.kafka.bootstrap-servers")
class SendTest {

	static final ScriptedSmtpServer SMTP = new ScriptedSmtpServer();

	static final TestDns DNS = new TestDns();

	@Autowired
	EmbeddedKafkaBroker broker;

	@Autowired
	Feedback feedback;

	@Autowired
	TransportEndpoint transport;

	private final Scope scope = Given.sender("unlimited");

	@DynamicPropertySource
	static void hurry(DynamicPropertyRegistry registry) {
		registry.add("mailroom.relay.host", () -> "localhost");
		registry.add("mailroom.relay.port", SMTP::port);
		registry.add("mailroom.dns-servers", DNS::address);
		registry.add("mailroom.mx.port", SMTP::port);
		registry.add("mailroom.mx.private-addresses", () -> true);
		registry.add("mailroom.mx.reply-timeout", () -> "60s");
		registry.add("mailroom.relay.last", () -> true);
		registry.add("mailroom.relay.reply-timeout", () -> "5s");
		registry.add("mailroom.relay.dot-timeout", () -> "5s");
		registry.add("mailroom.retry-delays", () -> "1s,30s");
		// A transactional mail's three days, 72 000 times as fast.
		registry.add("mailroom.campaign-retry-delays",
				() -> "1ms,2ms,8ms,25ms,50ms,100ms,200ms,400ms,400ms,400ms,400ms,400ms,400ms,400ms,400ms");
		registry.add("mailroom.lease", () -> "5s");
		registry.add("mailroom.data-lease", () -> "8s");
	}

	@AfterEach
	void behave() {
		SMTP.behave();
	}

	@Test
	void whatIsDueIsDeliveredOnceToEachRecipientUnderItsOwnReturnPath() {
		List<UUID> mails = IntStream.range(0, 100)
			.mapToObj((i) -> Given.mail(this.scope, i + "@once.test", "x" + i + "@once.test"))
			.toList();
		mails.forEach((mail) -> until("delivered", mail));
		List<ScriptedSmtpServer.Mail> taken = arrived("@once.test");
		assertThat(taken).hasSize(200).extracting(ScriptedSmtpServer.Mail::rcptTo).doesNotHaveDuplicates();
		assertThat(taken).extracting(ScriptedSmtpServer.Mail::mailFrom).doesNotHaveDuplicates();
	}

	@Test
	void aTemporaryRefusalIsTriedAgainAndExpiresInTheEnd() {
		SMTP.answer("RCPT later@deferred.test", "451 4.7.1 later");
		UUID mail = Given.mail(this.scope, "later@deferred.test");
		until("delivery_delayed", mail);
		SMTP.behave();
		until("delivered", mail);
		SMTP.answer("RCPT never@deferred.test", "451 4.7.1 later");
		UUID never = Given.mail(this.scope, "never@deferred.test");
		until("expired", never);
		assertThat(status(never)).isEqualTo("failed");
	}

	@Test
	void daysOfRetriesAreSeenAttemptByAttemptAndEnd() {
		SMTP.answer("RCPT never@days.test", "451 4.7.1 Greylisted")
			.answer("RCPT third@days.test", "451 4.7.1 Greylisted", 2);
		pause("'abuse'");
		UUID never = Given.mail(this.scope, "never@days.test");
		UUID third = Given.mail(this.scope, "third@days.test");
		Given.run("update delivery set stream = 'campaign' where account_id = '%s'", this.scope.account());
		pause("null");
		until("delivered", third);
		assertThat(tried(third)).containsExactly("1 deferred", "2 deferred", "3 delivered");
		until("expired", never);
		assertThat(status(never)).isEqualTo("failed");
		assertThat(tried(never)).hasSize(16).endsWith("15 deferred", "16 expired");
		assertThat(Given.rows("select conversation from delivery_attempt where email_id = '%s'", never))
			.allMatch((said) -> said.contains("C: RCPT TO:<never@days.test>\n")
					&& said.contains("S: 451 4.7.1 Greylisted\n"));
		assertThat(Given.rows("select kind from event where email_id = '%s' order by id", never))
			.containsExactly("email.delivery_delayed", "email.failed");
	}

	@Test
	void aRefusalForGoodBouncesAndSuppressesWhereTheAddressIsAtFault() {
		SMTP.answer("RCPT gone@bounced.test", "550 5.1.1 nobody").answer("RCPT full@bounced.test", "552 5.2.2 full");
		UUID mail = Given.mail(this.scope, "gone@bounced.test", "full@bounced.test");
		until("bounced", mail);
		waitFor(() -> Given.rows("select id from delivery where email_id = '%s' and phase <> 'done'", mail).isEmpty());
		assertThat(Given.rows("select address from suppression where account_id = '%s'", this.scope.account()))
			.containsExactly("gone@bounced.test");
		SMTP.behave();
		UUID again = Given.mail(this.scope, "gone@bounced.test");
		until("suppressed", again);
		assertThat(arrived("gone@bounced.test")).isEmpty();
	}

	@Test
	void theSandboxsRecipientsAnswerByTheirNamesAndCountForNoReputation() {
		String host = "@simulator.mailroom.localhost";
		UUID taken = Given.mail(this.scope, "delivered+one" + host);
		UUID bounced = Given.mail(this.scope, "bounced" + host);
		UUID deferred = Given.mail(this.scope, "deferred+two" + host);
		UUID suppressed = Given.mail(this.scope, "suppressed" + host);
		UUID opened = Given.mail(this.scope, "opened" + host);
		UUID clicked = Given.mail(this.scope, "Clicked+x" + host);
		UUID complained = Given.mail(this.scope, "complained+spam" + host);
		UUID unknown = Given.mail(this.scope, "nobody" + host);
		List.of(taken, deferred).forEach((mail) -> until("delivered", mail));
		List.of(bounced, unknown).forEach((mail) -> until("bounced", mail));
		until("suppressed", suppressed);
		until("complained", complained);
		List.of(opened, clicked).forEach((mail) -> waitFor(() -> status(mail).equals("delivered")));
		assertThat(tried(deferred)).containsExactly("1 deferred", "2 delivered");
		assertThat(Given.rows("select open_count || ' ' || click_count from email where id in ('%s', '%s') order by id",
				opened, clicked))
			.containsExactlyInAnyOrder("1 0", "1 1");
		assertThat(Given.rows("select address from suppression where account_id = '%s'", this.scope.account()))
			.isEmpty();
		assertThat(Given.rows("select day from reputation_day where account_id = '%s'", this.scope.account()))
			.isEmpty();
		assertThat(arrived(host)).isEmpty();
	}

	@Test
	void aLostAnswerIsLeftToItsLeaseAndCountsAsAmbiguous() {
		SMTP.answer("BODY", ScriptedSmtpServer.DROP);
		UUID mail = Given.mail(this.scope, "lost@ambiguous.test");
		waitFor(() -> !arrived("lost@ambiguous.test").isEmpty());
		SMTP.behave();
		until("delivered", mail);
		assertThat(Given.rows("select ambiguous >= 1 from delivery where email_id = '%s'", mail)).containsExactly("t");
		int ambiguous = Integer
			.parseInt(Given.rows("select ambiguous from delivery where email_id = '%s'", mail).getFirst());
		assertThat(arrived("lost@ambiguous.test")).hasSizeLessThanOrEqualTo(1 + ambiguous);
		assertThat(arrived("lost@ambiguous.test").stream().map(ScriptedSmtpServer.Mail::content).distinct()).hasSize(1);
		assertThat(tried(mail)).hasSize(1 + ambiguous)
			.startsWith("1 unanswered")
			.endsWith((1 + ambiguous) + " delivered");
		assertThat(Given
			.rows("select conversation from delivery_attempt where email_id = '%s' and outcome = 'unanswered'", mail))
			.allMatch((said) -> said.contains("C: RCPT TO:<lost@ambiguous.test>\n") && said.contains("S: 354"));
	}

	@Test
	void whatComesBackLaterFindsItsDeliveryByTheReturnPath() throws IOException {
		UUID bounced = Given.mail(this.scope, "gone@late.test");
		UUID disliked = Given.mail(this.scope, "angry@late.test");
		until("delivered", bounced);
		until("delivered", disliked);
		assertThat(comesBack(returnPath("gone@late.test").toUpperCase(Locale.ROOT), "vacation", "")).isFalse();
		assertThat(comesBack(returnPath("gone@late.test"), "postfix-unknown", "")).isTrue();
		for (String sample : List.of("arf-abuse", "arf-included")) {
			assertThat(comesBack("FBL@mailroom.localhost", sample, returnPath("angry@late.test"))).isTrue();
			assertThat(comesBack("fbl@mailroom.localhost", sample, "b+" + "0".repeat(61) + "@bounce.late.test"))
				.isFalse();
		}
		until("bounced", bounced);
		until("complained", disliked);
		assertThat(Given.rows("select address || ' ' || reason from suppression where account_id = '%s' order by 1",
				this.scope.account()))
			.containsExactly("angry@late.test complaint", "gone@late.test hard_bounce");
	}

	private boolean comesBack(String recipient, String sample, String path) throws IOException {
		try (InputStream file = Objects
			.requireNonNull(getClass().getResourceAsStream("/feedback/" + sample + ".eml"))) {
			String mail = new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("%PATH%", path)
				.replace("gone@example.net", "gone@late.test");
			assertThat(this.feedback.expects(recipient)).isTrue();
			return this.feedback.take(recipient, mail.getBytes(StandardCharsets.UTF_8))
				.block(Duration.ofSeconds(20)) == FeedbackKind.NEWS;
		}
	}

	private static String returnPath(String to) {
		return arrived(to).getFirst().mailFrom();
	}

	@Test
	void aLeaseThatTheTopicLostComesBack() {
		UUID mail = Given.mail(this.scope, "b@lease.test");
		Given.run("update delivery set phase = 'leased', epoch = epoch + 1, lease_until = now() - interval '1 second' "
				+ "where email_id = '%s' and phase <> 'done'", mail);
		until("delivered", mail);
		assertThat(arrived("@lease.test")).hasSize(1);
	}

	@Test
	void aRecordThatIsNoLeaseAndAWipedTopicStopNothing() throws Exception {
		try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
				Map.of("bootstrap.servers", this.broker.getBrokersAsString()), new ByteArraySerializer(),
				new ByteArraySerializer())) {
			producer.send(new ProducerRecord<>("mailroom.deliveries", new byte[] { 1, 2, 3 })).get();
		}
		until("delivered", Given.mail(this.scope, "b@poison.test"));
		waitFor(() -> !Given.rows("select id from dead_letter where why like 'mailroom.deliveries/%%'").isEmpty());
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", this.broker.getBrokersAsString()))) {
			List<UUID> mails = IntStream.range(0, 50)
				.mapToObj((i) -> Given.mail(this.scope, i + "@wiped.test"))
				.toList();
			admin.deleteTopics(List.of("mailroom.deliveries")).all().get();
			mails.forEach((mail) -> until("delivered", mail));
		}
		assertThat(arrived("@wiped.test")).hasSize(50);
	}

	@Test
	void whatCannotBeReadOrWrittenFailsAloneAndTheOthersGoOn() {
		pause("'abuse'");
		UUID empty = Given.mail(this.scope, "empty@faulty.test");
		Given.run("delete from email_content where email_id = '%s'", empty);
		UUID illegible = Given.mail(this.scope, "illegible@faulty.test");
		Given.run("update email_content set headers = '{\"X-A\": {\"b\": 1}}' where email_id = '%s'", illegible);
		UUID unwritable = Given.mail(this.scope, "unwritable@faulty.test");
		Given.run("update email_content set headers = '{\"X-A\": null}' where email_id = '%s'", unwritable);
		UUID orphan = Given.mail(this.scope, "orphan@faulty.test");
		Given.run("update email set domain_id = '%s' where id = '%s'", UUID.randomUUID(), orphan);
		UUID sound = Given.mail(this.scope, "sound@faulty.test");
		pause("null");
		List.of(empty, illegible, unwritable, orphan).forEach((mail) -> until("failed", mail));
		until("delivered", sound);
		assertThat(arrived("@faulty.test")).hasSize(1);
		assertThat(Given.rows("select email_id from dead_letter where account_id = '%s'", this.scope.account()))
			.containsExactlyInAnyOrder(illegible.toString(), unwritable.toString(), empty.toString(),
					orphan.toString());
	}

	@Test
	void aTrackedMailIsEachRecipientsOwnAndTheSameAtEachAttempt() {
		SMTP.answer("RCPT slow@tracked.test", "451 4.7.1 later");
		UUID book = UUID.randomUUID();
		pause("'writing'");
		UUID mail = Given.mail(this.scope, "fast@tracked.test", "slow@tracked.test");
		Given.run("update email set open_tracking = true, click_tracking = true where id = '%s'", mail);
		Given.run("update email_content set html = '<a href=\"https://example.com/%s\">x</a>' where email_id = '%s'",
				book, mail);
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'Friends', now(), now())", book, this.scope.account());
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
						+ "values ('%1$s', '%2$s', '%1$s', 'a@b.test', 'a@b.test', now(), now())",
				book, this.scope.account());
		Given.run("update delivery set contact_id = '%s' where email_id = '%s' and position = 1", book, mail);
		pause("null");
		waitFor(() -> !Given
			.rows("select id from event where email_id = '%s' and kind = 'email.delivery_delayed'", mail)
			.isEmpty());
		SMTP.behave();
		waitFor(() -> Given.rows("select id from delivery where email_id = '%s' and phase <> 'done'", mail).isEmpty());
		String fast = arrived("fast@tracked.test").getFirst().content();
		String slow = arrived("slow@tracked.test").getLast().content();
		assertThat(fast).contains("/t/c/", "/t/o/").doesNotContain("example.com", "List-Unsubscribe: ");
		assertThat(slow).contains("/t/c/", "/t/o/", "List-Unsubscribe: <http://localhost:8080/u/",
				"List-Unsubscribe-Post: List-Unsubscribe=One-Click");
		assertThat(slow).doesNotContain(fast.substring(fast.indexOf("/t/c/"), fast.indexOf("/t/c/") + 40));
		assertThat(Given.rows("select url from tracked_link where account_id = '%s'", this.scope.account()))
			.containsExactly("https://example.com/" + book);
	}

	@Test
	void aMailWhoseKeyDoesNotOpenWaitsAndIsNotSentUnsigned() {
		Given
			.run("insert into dkim_key (id, account_id, domain_id, selector, algorithm, public_key, sealed_private_key, "
					+ "active, created_at) values (gen_random_uuid(), '%s', '%s', 's1', 'rsa-sha256', 'x', '\\x00', "
					+ "true, now())", this.scope.account(), this.scope.domain());
		UUID mail = Given.mail(this.scope, "b@unsigned.test");
		until("delivery_delayed", mail);
		assertThat(arrived("@unsigned.test")).isEmpty();
		Given.run("update dkim_key set active = false where domain_id = '%s'", this.scope.domain());
	}

	@Test
	void aDomainMaySendStraightToTheServersAndASlowOneHoldsUpNobodyElse() {
		Given.run("update domain set transport = 'mx' where id = '%s'", this.scope.domain());
		DNS.publish("MX", "slow.test", "mx.slow.test");
		DNS.publish("A", "mx.slow.test", "127.0.0.7");
		DNS.publish("A", "quick.test", "127.0.0.6");
		try (ScriptedSmtpServer slow = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.7"), SMTP.port());
				ScriptedSmtpServer quick = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.6"), SMTP.port())) {
			slow.answer("MAIL", ScriptedSmtpServer.STALL);
			List<UUID> waiting = IntStream.range(0, 60)
				.mapToObj((i) -> Given.mail(this.scope, i + "@slow.test"))
				.toList();
			waitFor(() -> slow.sessions() == 2);
			UUID mail = Given.mail(this.scope, "b@quick.test", "gone@gone.test");
			waitFor(() -> quick.mails().size() == 1 && status(mail).equals("bounced"));
			assertThat(slow.sessions()).as("it begins with two").isEqualTo(2);
			assertThat(status(waiting.getFirst())).isEqualTo("pending");
			waitFor(() -> Given
				.rows("select transport || ' ' || host || ' ' || address from delivery_attempt "
						+ "where email_id = '%s' and outcome = 'delivered'", mail)
				.equals(List.of("mx quick.test 127.0.0.6")));
			Given.run("update delivery set phase = 'done' where account_id = '%s'", this.scope.account());
		}
	}

	@Test
	void anAccountGoesTheWayThatAnOperatorChoseForIt() {
		String account = this.scope.account().toString();
		DNS.publish("A", "chosen.test", "127.0.0.8");
		try (ScriptedSmtpServer chosen = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.8"), SMTP.port())) {
			this.transport.choose(account, "mx").block(Duration.ofSeconds(20));
			UUID straight = Given.mail(this.scope, "straight@chosen.test");
			until("delivered", straight);
			this.transport.clear(account).block(Duration.ofSeconds(20));
			UUID relayed = Given.mail(this.scope, "relayed@chosen.test");
			until("delivered", relayed);
			assertThat(chosen.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo)
				.containsExactly("straight@chosen.test");
			assertThat(Given.rows("select transport from delivery_attempt where account_id = '%s' order by began_at",
					account))
				.containsExactly("mx", "relay");
		}
	}

	private static List<String> tried(UUID mail) {
		return Given.rows("select attempt || ' ' || outcome from delivery_attempt where email_id = '%s' order by id",
				mail);
	}

	private void pause(String reason) {
		Given.run("update account set paused_reason = %s where id = '%s'", reason, this.scope.account());
	}

	private static List<ScriptedSmtpServer.Mail> arrived(String to) {
		return SMTP.mails().stream().filter((mail) -> mail.rcptTo().endsWith(to)).toList();
	}

	private static void until(String lastEvent, UUID mail) {
		waitFor(() -> Given.rows("select last_event from email where id = '%s'", mail).contains(lastEvent));
	}

	private static String status(UUID mail) {
		return Given.rows("select status from email where id = '%s'", mail).getFirst();
	}

	private static void waitFor(BooleanSupplier condition) {
		Instant deadline = Instant.now().plus(Duration.ofSeconds(120));
		while (!condition.getAsBoolean()) {
			assertThat(Instant.now()).as("the deadline").isBefore(deadline);
			Thread.onSpinWait();
		}
	}

}
