package dev.mailroom.worker.smtp.client;

import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.worker.smtp.client.Session.AnswerLost;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static dev.mailroom.worker.smtp.client.TestRelay.hand;
import static dev.mailroom.worker.smtp.client.TestRelay.kind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Transcripts of sessions, in particular of those without a final reply. */
@Execution(ExecutionMode.CONCURRENT)
class RelayTranscriptTest {

	private final TestRelay test = new TestRelay();

	private final ScriptedSmtpServer server = this.test.server();

	@AfterEach
	void close() {
		this.test.close();
	}

	@Test
	void theTranscriptContainsCommandsAndRepliesButNotThePassword() {
		this.server.offering("PIPELINING", "AUTH PLAIN");
		Settlement.Attempt attempt = hand(this.test.transport(TlsMode.NONE, null, "user"), "b@c.test").attempt();
		assertThat(attempt.conversation().lines().map((line) -> line.replaceFirst("^\\d+ ", ""))).containsSubsequence(
				"S: 220 scripted ESMTP", "C: EHLO helo.test", "C: AUTH (not shown)", "S: 235 2.7.0 Ok",
				"C: MAIL FROM:<b+1@bounce.a.test>", "C: RCPT TO:<b@c.test>", "C: DATA", "S: 250 2.1.0 Ok");
		assertThat(attempt.conversation()).doesNotContain("AHVzZXIAc2VjcmV0");
	}

	@Test
	void theLengthOfATranscriptIsLimited() {
		Relay relay = this.test.transport();
		this.server.answer("RCPT", "451 4.7.1 later " + "x".repeat(500));
		hand(relay, "b@c.test");
		for (int i = 0; i < 20; i++) {
			assertThat(hand(relay, "b@c.test").attempt().conversation()).contains("of this session")
				.hasSizeLessThan(8192);
		}
	}

	@Test
	void aRefusedSessionHasATranscript() {
		this.server.answer("GREETING", "554 5.7.1 go away");
		Relay relay = this.test.transport();
		assertThatThrownBy(() -> hand(relay, "b@c.test")).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.attempt().conversation()).contains("S: 554 5.7.1 go away"));
	}

	@Test
	void theReplyOfADeliveryDoesNotNameTheRelay() {
		this.server.answer("GREETING", "554 5.7.1 relay.internal does not know you");
		Relay relay = this.test.transport();
		assertThatThrownBy(() -> hand(relay, "b@c.test")).isInstanceOfSatisfying(NotOpened.class, (ex) -> {
			assertThat(ex.outcome().reply()).isEqualTo("451 4.4.1 No session with the relay");
			assertThat(ex).hasMessageContaining("localhost");
		});
	}

	@Test
	void aConnectionLostAfterTheFinalDotIsAnUnknownOutcomeWithATranscript() {
		Relay relay = this.test.transport();
		this.server.answer("BODY", ScriptedSmtpServer.DROP);
		assertThat(answerLost(relay).conversation()).contains("C: RCPT TO:<b@c.test>", "C: (the message, ",
				"The connection was lost");
		this.server.behave();
		assertThat(kind(hand(relay, "b@c.test"))).isEqualTo("delivered");
	}

	@Test
	void noReplyToTheFinalDotIsAnUnknownOutcomeWithATranscript() {
		Relay relay = this.test.transport();
		this.server.answer("BODY", ScriptedSmtpServer.STALL);
		Settlement.Attempt attempt = answerLost(relay);
		assertThat(attempt.conversation()).contains("S: 354", "no reply to the message within 2 s");
		assertThat(attempt.transport() + " " + attempt.host()).isEqualTo("relay localhost");
		assertThat(attempt.took()).isPositive();
	}

	private static Settlement.Attempt answerLost(Relay relay) {
		AtomicReference<Settlement.Attempt> attempt = new AtomicReference<>();
		assertThatThrownBy(() -> hand(relay, "b@c.test")).isInstanceOfSatisfying(AnswerLost.class,
				(ex) -> attempt.set(ex.attempt()));
		return attempt.get();
	}

}
