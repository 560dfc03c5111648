package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static dev.mailroom.worker.smtp.client.TestRelay.MESSAGE;
import static dev.mailroom.worker.smtp.client.TestRelay.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Opening, pooling and closing of sessions. */
@Execution(ExecutionMode.CONCURRENT)
class RelaySessionsTest {

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final Duration SHORT = Duration.ofSeconds(1);

	private final TestRelay test = new TestRelay();

	private final ScriptedSmtpServer server = this.test.server();

	private final List<Boolean> onEventLoop = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.test.close();
	}

	@Test
	void aServerWithoutAGreetingIsGivenUpAfterTheTimeoutAndNotRetried() {
		this.server.answer("GREETING", ScriptedSmtpServer.STALL);
		Relay relay = this.test.patient(20, SHORT, null);
		assertThatThrownBy(() -> hand(relay)).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.outcome().counts()).isTrue());
		assertThat(this.server.sessions()).isEqualTo(1);
	}

	@Test
	void repeatedRefusalsOpenTheCircuitBreaker() {
		this.server.answer("GREETING", "554 5.7.1 go away");
		Relay relay = this.test.transport();
		for (int i = 0; i < 5; i++) {
			assertThatThrownBy(() -> hand(relay)).isInstanceOfSatisfying(NotOpened.class,
					(ex) -> assertThat(ex.outcome().counts()).isTrue());
		}
		int before = this.server.sessions();
		assertThatThrownBy(() -> hand(relay)).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.outcome().counts()).isFalse());
		assertThat(this.server.sessions()).isEqualTo(before);
	}

	@Test
	void heloIsUsedIfEhloIsNotImplemented() {
		this.server.answer("EHLO", "502 5.5.1 What?");
		assertThat(hand(this.test.patient(20, LONG, null))).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.server.commands()).contains("HELO helo.test");
	}

	@Test
	void theHostIsResolvedOffTheEventLoopAndEachAddressIsTried() {
		Relay relay = this.test.patient(20, LONG, (_) -> {
			this.onEventLoop.add(Schedulers.isInNonBlockingThread());
			return new InetAddress[] { InetAddress.ofLiteral("127.0.0.2"), InetAddress.ofLiteral("127.0.0.1") };
		});
		assertThat(hand(relay)).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.onEventLoop).containsExactly(false);
	}

	@Test
	void aLookupThatDoesNotEndIsGivenUpAfterTheTimeout() {
		CountDownLatch end = new CountDownLatch(1);
		Relay relay = this.test.patient(20, SHORT, (_) -> {
			try {
				end.await();
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
			}
			return new InetAddress[0];
		});
		try {
			assertThatThrownBy(() -> hand(relay)).isInstanceOf(NotOpened.class);
		}
		finally {
			end.countDown();
		}
	}

	@Test
	void aServerThatEndsAReusedSessionBeforeAMailCostsNoAttempt() {
		Relay relay = this.test.patient(1, LONG, null);
		assertThat(hand(relay)).isInstanceOf(Outcome.Delivered.class);
		this.server.answer("MAIL", ScriptedSmtpServer.DROP);
		assertThat(hand(relay)).isInstanceOfSatisfying(Outcome.Unopened.class,
				(outcome) -> assertThat(outcome.counts()).isFalse());
		assertThat(this.server.sessions()).isEqualTo(1);
		assertThat(hand(relay)).as("the first mail of a session").isInstanceOf(Outcome.Deferred.class);
	}

	@Test
	void waitingInVainForAFreeSessionCountsNoAttempt() {
		Relay relay = this.test.patient(1, SHORT, null);
		assertThat(hand(relay)).isInstanceOf(Outcome.Delivered.class);
		Disposable busy = relay.with(ROUTE, (_) -> Mono.never()).subscribe();
		try {
			assertThatThrownBy(() -> hand(relay)).isInstanceOfSatisfying(NotOpened.class,
					(ex) -> assertThat(ex.outcome().counts()).isFalse());
		}
		finally {
			busy.dispose();
		}
	}

	@Test
	void aSessionIsReplacedAfterAHundredMails() {
		Relay relay = this.test.patient(20, LONG, null);
		Await.await(relay.with(ROUTE,
				(session) -> Flux.range(0, 100)
					.concatMap((_) -> session.hand(new Envelope("b@a.test", "b@c.test"), MESSAGE))
					.then(Mono.just(true))));
		assertThat(hand(relay)).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.server.sessions()).isEqualTo(2);
	}

	@Test
	@Timeout(60)
	void aServerThatDoesNotReplyToQuitDoesNotPreventAStop() {
		Relay relay = this.test.patient(20, LONG, null);
		assertThat(hand(relay)).isInstanceOf(Outcome.Delivered.class);
		this.server.answer("QUIT", ScriptedSmtpServer.STALL);
		relay.destroy();
		Await.until("QUIT is sent", () -> this.server.commands().contains("QUIT"));
	}

	private static Outcome hand(Relay relay) {
		return Await.await(relay.with(ROUTE, (session) -> session.hand(new Envelope("b@a.test", "b@c.test"), MESSAGE))
			.map(HandOverResult::outcome));
	}

}
