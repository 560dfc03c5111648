package dev.mailroom.worker.transport;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.mailroom.outcome.Attempt;
import dev.mailroom.outcome.Outcome;
import dev.mailroom.queue.Route;
import dev.mailroom.worker.ScriptedSmtpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SmtpRelayTest {

	static final Route ANYWHERE = new Route(new UUID(0, 0), "c.test", null, false);

	private static final byte[] MESSAGE = "Subject: x\r\n\r\n.dot\r\n..\r\n.\r\nend\r\n"
		.getBytes(StandardCharsets.UTF_8);

	private final ScriptedSmtpServer server = new ScriptedSmtpServer();

	private SmtpRelay relay = relay(TlsMode.NONE, null, true);

	@AfterEach
	void close() {
		this.relay.destroy();
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aMailArrivesAsItWasWithAndWithoutPipelining(boolean pipelining) {
		this.server.offering(pipelining ? "PIPELINING" : "8BITMIME");
		assertThat(hand("b@c.test")).isEqualTo(new Outcome.Delivered("250 2.0.0 Taken"));
		assertThat(this.server.mails()).singleElement().satisfies((mail) -> {
			assertThat(mail.mailFrom()).isEqualTo("b+1@bounce.a.test");
			assertThat(mail.rcptTo()).isEqualTo("b@c.test");
			assertThat(mail.content()).isEqualTo(new String(MESSAGE, StandardCharsets.UTF_8));
		});
	}

	@Test
	void aSessionIsUsedAgainAndARelaysWordMayNotBeTheLast() {
		this.relay = relay(TlsMode.NONE, null, false);
		for (int i = 0; i < 5; i++) {
			assertThat(hand(i + "@c.test")).isInstanceOf(Outcome.Sent.class);
		}
		assertThat(this.server.sessions()).isEqualTo(1);
		assertThat(this.server.mails()).hasSize(5);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "MAIL|550 5.7.1 no|failed", "MAIL|550 5.1.1 who|failed",
			"MAIL|553 5.1.8 no such domain|failed", "MAIL|530 5.7.0 sign in|deferred",
			"RCPT|530 5.7.0 sign in|deferred", "DATA|535 5.7.8 signed out|deferred", "RCPT|550 5.1.7 bad sender|failed",
			"RCPT|553 5.1.8 bad sender|failed", "BODY|550 5.1.8 bad sender|failed", "BODY|550 5.1.1 nobody|hard",
			"MAIL|550 5.7.1 no and hangs up|failed", "RCPT|550 5.1.1 nobody and hangs up|hard",
			"MAIL|451 4.3.0 no and hangs up|deferred", "RCPT|550 5.1.1 nobody|hard", "RCPT|550 nobody|hard",
			"RCPT|552 5.2.2 full|soft", "RCPT|550 5.7.1 policy|soft", "RCPT|451 4.7.1 greylisted|deferred",
			"DATA|554 5.7.1 no|soft", "DATA|451 later|deferred", "BODY|554 5.6.0 bad|soft",
			"BODY|452 4.3.1 full|deferred", "MAIL|421 4.7.0 too many|deferred", "RCPT|drop|deferred",
			"DATA|drop|deferred", "MAIL|drop|deferred" })
	void aRefusalAtAnyStepIsAnOutcomeAndTheNextMailGoesThrough(String step, String answer, String expected) {
		for (String extension : new String[] { "PIPELINING", "8BITMIME" }) {
			this.server.offering(extension);
			this.server.answer(step, answer);
			assertThat(word(hand("b@c.test"))).as(extension).isEqualTo(expected);
			this.server.behave();
			assertThat(word(hand("next@c.test"))).as(extension).isEqualTo("delivered");
		}
		assertThat(this.server.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo).containsOnly("next@c.test");
	}

	@Test
	void aConnectionLostAfterTheDotLeavesTheOutcomeOpen() {
		this.server.answer("BODY", ScriptedSmtpServer.DROP);
		assertThat(lost().conversation()).contains("C: RCPT TO:<b@c.test>", "C: (the message, ",
				"The connection was lost");
		this.server.answer("BODY", ScriptedSmtpServer.STALL);
		Attempt attempt = lost();
		assertThat(attempt.conversation()).contains("S: 354", "no answer to the message came within 2 s");
		assertThat(attempt.transport() + " " + attempt.host()).isEqualTo("relay localhost");
		assertThat(attempt.took()).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
		this.server.behave();
		assertThat(word(hand("b@c.test"))).isEqualTo("delivered");
	}

	@ParameterizedTest
	@ValueSource(strings = { ScriptedSmtpServer.DROP, ScriptedSmtpServer.STALL })
	void aConnectionLostBeforeTheDotIsOutDefersTheMail(String what) {
		this.server.offering("PIPELINING").answer("CONTENT", what);
		byte[] large = ("Subject: x\r\n\r\n" + "x".repeat(900).concat("\r\n").repeat(40_000))
			.getBytes(StandardCharsets.UTF_8);
		assertThat(
				word(this.relay.with(ANYWHERE, (session) -> session.hand(new Envelope("b@a.test", "b@c.test"), large))
					.map(HandOverResult::outcome)
					.block()))
			.isEqualTo("deferred");
		this.server.behave();
		assertThat(word(hand("b@c.test"))).isEqualTo("delivered");
	}

	@Test
	void aServerThatSaysNothingDefersTheMail() {
		this.server.answer("MAIL", ScriptedSmtpServer.STALL);
		assertThat(word(hand("b@c.test"))).isEqualTo("deferred");
	}

	@Test
	void whatTheServerDoesNotTakeIsNotSent() {
		this.server.offering("PIPELINING", "SIZE 10");
		assertThat(word(hand("b@c.test"))).isEqualTo("soft");
		this.server.offering("PIPELINING");
		SmtpRelay fresh = relay(TlsMode.NONE, null, true);
		assertThat(
				word(fresh.with(ANYWHERE, (session) -> session.hand(new Envelope("b@a.test", "jürgen@c.test"), MESSAGE))
					.map(HandOverResult::outcome)
					.block()))
			.as("what the server lacks says nothing of whether there is a jürgen")
			.isEqualTo("soft");
		fresh.destroy();
		this.server.offering("PIPELINING", "SMTPUTF8", "8BITMIME");
		this.relay = relay(TlsMode.NONE, null, true);
		assertThat(word(hand("jürgen@c.test"))).isEqualTo("delivered");
		assertThat(this.server.mails().getLast().rcptTo()).isEqualTo("jürgen@c.test");
		assertThat(this.server.commands()).anyMatch((line) -> line.startsWith("MAIL") && line.contains("SMTPUTF8"));
	}

	@ParameterizedTest
	@CsvSource({ "SMTPUTF8, delivered", "8BITMIME, soft" })
	void anAddressInAHeaderNeedsSmtpUtf8AsWell(String offered, String expected) {
		this.server.offering("PIPELINING", offered);
		byte[] message = "Cc: jürgen@d.test\r\n\r\nhi\r\n".getBytes(StandardCharsets.UTF_8);
		assertThat(
				word(this.relay.with(ANYWHERE, (session) -> session.hand(new Envelope("b@a.test", "b@c.test"), message))
					.map(HandOverResult::outcome)
					.block(Duration.ofSeconds(30))))
			.isEqualTo(expected);
		assertThat(this.server.commands().stream().filter((line) -> line.startsWith("MAIL")))
			.allMatch((line) -> line.contains("SMTPUTF8"));
	}

	@Test
	void aSessionThatCannotBeOpenedIsNotOpenedAndAfterAWhileNotTried() {
		this.server.answer("GREETING", "554 5.7.1 go away");
		for (int i = 0; i < 5; i++) {
			assertThatThrownBy(() -> hand("b@c.test")).isInstanceOfSatisfying(NotOpened.class,
					(ex) -> assertThat(ex.outcome().counts()).isTrue());
		}
		int before = this.server.sessions();
		assertThatThrownBy(() -> hand("b@c.test")).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.outcome().counts()).isFalse());
		assertThat(this.server.sessions()).isEqualTo(before);
	}

	@Test
	void passwordsGoByPlainOrLoginAndNotWithoutTls() {
		this.server.offering("PIPELINING", "AUTH PLAIN LOGIN");
		this.relay = relay(TlsMode.NONE, "user", true);
		assertThat(word(hand("b@c.test"))).isEqualTo("delivered");
		assertThat(this.server.commands()).contains("AUTH PLAIN AHVzZXIAc2VjcmV0");
		this.server.offering("AUTH LOGIN").answer("c2VjcmV0", "235 2.7.0 Ok");
		this.relay = relay(TlsMode.NONE, "user", true);
		assertThat(word(hand("b@c.test"))).isEqualTo("delivered");
		this.server.offering("AUTH PLAIN");
		this.relay = relay(TlsMode.STARTTLS, "user", true);
		assertThatThrownBy(() -> hand("b@c.test")).isInstanceOf(NotOpened.class).hasMessageContaining("no TLS");
	}

	@Test
	void theConversationIsKeptWithoutThePasswordAndWithinItsBounds() {
		this.server.offering("PIPELINING", "AUTH PLAIN").answer("RCPT", "451 4.7.1 later " + "x".repeat(500));
		this.relay = relay(TlsMode.NONE, "user", true);
		Attempt attempt = attempt("b@c.test");
		assertThat(attempt.transport()).isEqualTo("relay");
		assertThat(attempt.host() + " " + attempt.address()).isEqualTo("localhost 127.0.0.1");
		assertThat(attempt.tls()).isEmpty();
		assertThat(attempt.conversation().lines().map((line) -> line.replaceFirst("^\\d+ ", ""))).containsSubsequence(
				"S: 220 scripted ESMTP", "C: EHLO helo.test", "C: AUTH (not shown)", "S: 235 2.7.0 Ok",
				"C: MAIL FROM:<b@a.test>", "C: RCPT TO:<b@c.test>", "C: DATA", "S: 250 2.1.0 Ok");
		assertThat(attempt.conversation()).doesNotContain("AHVzZXIAc2VjcmV0");
		for (int i = 0; i < 20; i++) {
			assertThat(attempt("b@c.test").conversation()).contains("of this session").hasSizeLessThan(8192);
		}
	}

	@Test
	void aSessionThatWasNotOpenedKeepsWhatWasSaid() {
		this.server.answer("GREETING", "554 5.7.1 go away");
		assertThatThrownBy(() -> hand("b@c.test")).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.attempt().conversation()).contains("S: 554 5.7.1 go away"));
	}

	@Test
	void manySessionsWorkAtATimeAndNoMailIsLostOrDoubled() {
		Flux.range(0, 300)
			.flatMap((i) -> this.relay
				.with(ANYWHERE, (session) -> session.hand(new Envelope("b@a.test", i + "@c.test"), MESSAGE))
				.map(HandOverResult::outcome), 20)
			.blockLast(Duration.ofSeconds(60));
		assertThat(this.server.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo)
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, 300).mapToObj((i) -> i + "@c.test").toList());
		assertThat(this.server.sessions()).isLessThanOrEqualTo(25);
	}

	private Attempt lost() {
		AtomicReference<Attempt> attempt = new AtomicReference<>();
		assertThatThrownBy(() -> hand("b@c.test")).isInstanceOfSatisfying(AnswerLost.class,
				(ex) -> attempt.set(ex.attempt()));
		return attempt.get();
	}

	private Attempt attempt(String recipient) {
		return this.relay.with(ANYWHERE, (session) -> session.hand(new Envelope("b@a.test", recipient), MESSAGE))
			.map(HandOverResult::attempt)
			.block(Duration.ofSeconds(30));
	}

	private Outcome hand(String recipient) {
		return this.relay
			.with(ANYWHERE, (session) -> session.hand(new Envelope("b+1@bounce.a.test", recipient), MESSAGE))
			.map(HandOverResult::outcome)
			.block(Duration.ofSeconds(30));
	}

	private SmtpRelay relay(TlsMode tls, String user, boolean last) {
		return new SmtpRelay(
				new RelaySettings("localhost", this.server.port(), user, "secret", tls, null, last, "helo.test", 20,
						Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(2), Duration.ofSeconds(2)),
				Clock.systemUTC());
	}

	private static String word(Outcome outcome) {
		return switch (outcome) {
			case Outcome.Delivered _ -> "delivered";
			case Outcome.Bounced bounced -> bounced.hard() ? "hard" : "soft";
			case Outcome.Deferred _ -> "deferred";
			case Outcome.Failed _ -> "failed";
			default -> outcome.toString();
		};
	}

}
