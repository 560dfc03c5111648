package dev.mailroom.worker.smtp.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static dev.mailroom.worker.smtp.client.TestRelay.hand;
import static dev.mailroom.worker.smtp.client.TestRelay.kind;
import static org.assertj.core.api.Assertions.assertThat;

/** Transactions, their outcomes and the extensions of the server. */
@Execution(ExecutionMode.CONCURRENT)
class RelayTest {

	/** Stands for a line longer than the limit. */
	private static final String LONG_LINE = "(a long line)";

	private final TestRelay test = new TestRelay();

	private final ScriptedSmtpServer server = this.test.server();

	private final Relay relay = this.test.transport();

	@AfterEach
	void close() {
		this.test.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aMailArrivesUnchangedWithAndWithoutPipelining(boolean pipelining) {
		this.server.offering(pipelining ? "PIPELINING" : "8BITMIME");
		assertThat(hand(this.relay, "b@c.test").outcome()).isEqualTo(new Outcome.Delivered("250 2.0.0 Accepted"));
		assertThat(this.server.mails()).singleElement().satisfies((mail) -> {
			assertThat(mail.mailFrom()).isEqualTo("b+1@bounce.a.test");
			assertThat(mail.rcptTo()).isEqualTo("b@c.test");
			assertThat(mail.content()).isEqualTo(new String(TestRelay.MESSAGE, StandardCharsets.UTF_8));
		});
	}

	@Test
	void theReplyOfARelayThatIsNotFinalMeansSent() {
		assertThat(kind(hand(this.test.intermediate(), "b@c.test"))).isEqualTo("sent");
	}

	@Test
	void oneSessionCarriesSeveralMails() {
		for (int i = 0; i < 5; i++) {
			hand(this.relay, i + "@c.test");
		}
		assertThat(this.server.sessions()).isEqualTo(1);
		assertThat(this.server.mails()).hasSize(5);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "MAIL|550 5.7.1 no|deferred", "MAIL|550 5.1.1 who|failed",
			"MAIL|553 5.1.8 no such domain|failed", "MAIL|530 5.7.0 sign in|deferred",
			"RCPT|530 5.7.0 sign in|deferred", "DATA|535 5.7.8 signed out|deferred", "RCPT|550 5.1.7 bad sender|failed",
			"RCPT|553 5.1.8 bad sender|failed", "BODY|550 5.1.8 bad sender|failed", "BODY|550 5.1.1 nobody|hard",
			"MAIL|550 5.7.1 no and hangs up|deferred", "RCPT|550 5.1.1 nobody and hangs up|hard",
			"MAIL|451 4.3.0 no and hangs up|deferred", "RCPT|550 5.1.1 nobody|hard", "RCPT|550 nobody|soft",
			"RCPT|550 no such user|hard", "RCPT|552 5.2.2 full|soft", "RCPT|550 5.7.1 policy|soft",
			"RCPT|451 4.7.1 greylisted|deferred", "DATA|554 5.7.1 no|soft", "DATA|451 later|deferred",
			"BODY|554 5.6.0 bad|soft", "BODY|452 4.3.1 full|deferred", "MAIL|421 4.7.0 too many|deferred",
			"RCPT|drop|deferred", "DATA|drop|deferred" })
	void aRefusalAtAnyStageIsAnOutcomeAndTheNextMailIsAccepted(String stage, String reply, String expected) {
		for (String extension : new String[] { "PIPELINING", "8BITMIME" }) {
			this.server.offering(extension);
			this.server.answer(stage, reply);
			assertThat(kind(hand(this.relay, "b@c.test"))).as(extension).isEqualTo(expected);
			this.server.behave();
			assertThat(kind(hand(this.relay, "next@c.test"))).as(extension).isEqualTo("delivered");
		}
		assertThat(this.server.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo).containsOnly("next@c.test");
	}

	/** RFC 5321 section 4.2: the text of a reply is optional. */
	@ParameterizedTest
	@ValueSource(strings = { "GREETING=220", "GREETING=220-\r\n220", "EHLO=250", "EHLO=250-scripted\r\n250-\r\n250",
			"MAIL=250", "RCPT b@c.test=250", "RCPT b@c.test=250-\r\n250", "DATA=354", "BODY=250", "BODY=250-\r\n250",
			"BODY=250 ", "BODY=250ok", "BODY=250-Ok\r\nqueued\r\n250", "BODY=2.0.0 Ok" })
	void aReplyWithoutTextIsAReply(String step) {
		String[] scripted = step.split("=", 2);
		this.server.answer(scripted[0], scripted[1]);
		assertThat(kind(hand(this.relay, "b@c.test"))).isEqualTo("delivered");
		this.server.behave();
		assertThat(kind(hand(this.relay, "next@c.test"))).isEqualTo("delivered");
		assertThat(this.server.mails()).hasSize(2);
		assertThat(this.server.sessions()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "250-Ok and hangs up", "250-Ok\r\n250-and then nothing and hangs up",
			"250-Ok\r\n250-and then nothing", "250 " + LONG_LINE, "250-Ok\r\n250 " + LONG_LINE })
	void aReplyToTheFinalDotThatBeginsWith2IsAnAcceptanceEvenIfItsEndIsNotReceived(String reply) {
		this.server.answer("BODY", reply.replace(LONG_LINE, "x".repeat(10_000)));
		assertThat(kind(hand(this.relay, "b@c.test"))).isEqualTo("delivered");
		this.server.behave();
		assertThat(kind(hand(this.relay, "next@c.test"))).isEqualTo("delivered");
		assertThat(this.server.mails()).hasSize(2);
	}

	@Test
	void aRefusalOfTheFinalDotWhoseEndIsNotReceivedIsARefusal() {
		this.server.answer("BODY", "550-5.1.1 nobody and hangs up");
		assertThat(kind(hand(this.relay, "b@c.test"))).isEqualTo("hard");
	}

	@Test
	void aReplyAbove64KilobytesEndsTheSession() {
		this.server.answer("RCPT b@c.test",
				"250-" + "x".repeat(996) + ("\r\n250-" + "x".repeat(994)).repeat(65) + "\r\n250 and this is too much");
		this.server.answer("DATA", ScriptedSmtpServer.STALL);
		assertThat(hand(this.relay, "b@c.test").attempt().conversation()).contains("The reply exceeds 65536 bytes");
		assertThat(this.server.mails()).isEmpty();
	}

	@Test
	void aReplyOfAlmost64KilobytesIsRead() {
		this.server.answer("RCPT b@c.test",
				"250-" + "x".repeat(996) + ("\r\n250-" + "x".repeat(994)).repeat(64) + "\r\n250 Ok");
		assertThat(kind(hand(this.relay, "b@c.test"))).isEqualTo("delivered");
	}

	@ParameterizedTest
	@ValueSource(strings = { ScriptedSmtpServer.DROP, ScriptedSmtpServer.STALL })
	void aConnectionLostBeforeTheFinalDotDefersTheMail(String behaviour) {
		this.server.offering("PIPELINING").answer("CONTENT", behaviour);
		byte[] large = ("Subject: x\r\n\r\n" + "x".repeat(900).concat("\r\n").repeat(40_000))
			.getBytes(StandardCharsets.UTF_8);
		assertThat(kind(hand(this.relay, "b@c.test", large))).isEqualTo("deferred");
		this.server.behave();
		assertThat(kind(hand(this.relay, "b@c.test"))).isEqualTo("delivered");
	}

	@Test
	void aServerThatDoesNotReplyDefersTheMail() {
		this.server.answer("MAIL", ScriptedSmtpServer.STALL);
		assertThat(kind(hand(this.relay, "b@c.test"))).isEqualTo("deferred");
	}

	@Test
	void aMailAboveTheServersSizeLimitIsNotSent() {
		this.server.offering("PIPELINING", "SIZE 10");
		assertThat(kind(hand(this.relay, "b@c.test"))).isEqualTo("soft");
		assertThat(this.server.commands()).noneMatch((line) -> line.startsWith("MAIL"));
	}

	@Test
	void anAddressThatIsNotAsciiIsASoftBounceWithoutSmtpUtf8() {
		this.server.offering("PIPELINING");
		assertThat(kind(hand(this.relay, "jürgen@c.test"))).isEqualTo("soft");
	}

	@Test
	void anAddressThatIsNotAsciiIsSentWithSmtpUtf8() {
		this.server.offering("PIPELINING", "SMTPUTF8", "8BITMIME");
		assertThat(kind(hand(this.relay, "jürgen@c.test"))).isEqualTo("delivered");
		assertThat(this.server.mails().getLast().rcptTo()).isEqualTo("jürgen@c.test");
		assertThat(this.server.commands()).anyMatch((line) -> line.startsWith("MAIL") && line.contains("SMTPUTF8"));
	}

	@ParameterizedTest
	@CsvSource({ "SMTPUTF8, delivered, 1", "8BITMIME, soft, 0" })
	void anAddressInAHeaderThatIsNotAsciiRequiresSmtpUtf8(String offered, String expected, int commands) {
		this.server.offering("PIPELINING", offered);
		byte[] message = "Cc: jürgen@d.test\r\n\r\nhi\r\n".getBytes(StandardCharsets.UTF_8);
		assertThat(kind(hand(this.relay, "b@c.test", message))).isEqualTo(expected);
		assertThat(this.server.commands().stream().filter((line) -> line.startsWith("MAIL"))).hasSize(commands)
			.allMatch((line) -> line.contains("SMTPUTF8"));
	}

	@Test
	void concurrentSessionsLoseAndDuplicateNoMail() {
		Flux.range(0, 300)
			.flatMap((i) -> this.relay.with(TestRelay.ROUTE,
					(session) -> session.hand(new Envelope("b@a.test", i + "@c.test"), TestRelay.MESSAGE)), 20)
			.blockLast(Duration.ofSeconds(60));
		assertThat(this.server.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo)
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, 300).mapToObj((i) -> i + "@c.test").toList());
		assertThat(this.server.sessions()).isLessThanOrEqualTo(25);
	}

	@Test
	void anAttemptNamesTransportAndServer() {
		Settlement.Attempt attempt = hand(this.relay, "b@c.test").attempt();
		assertThat(attempt.transport()).isEqualTo("relay");
		assertThat(attempt.host() + " " + attempt.address()).isEqualTo("localhost 127.0.0.1");
		assertThat(attempt.tls()).isEmpty();
	}

	@Test
	void anAttemptBeginsWithItsMailOnASessionThatWasOpenedForAnother() {
		Await.await(this.relay.with(TestRelay.ROUTE, (session) -> Mono.just(session.isOpen())));
		Instant before = Instant.now();
		Settlement.Attempt attempt = hand(this.relay, "b@c.test").attempt();
		assertThat(this.server.sessions()).isEqualTo(1);
		assertThat(attempt.began()).isAfterOrEqualTo(before);
		assertThat(attempt.conversation()).contains("MAIL FROM").doesNotContain("EHLO");
	}

}
