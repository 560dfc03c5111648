package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Session.AnswerLost;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import static dev.mailroom.worker.smtp.client.TestMailServers.hand;
import static dev.mailroom.worker.smtp.client.TestMailServers.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Circuit breaker, session limit and rate of a destination. */
@Execution(ExecutionMode.CONCURRENT)
class DirectMxLimitsTest {

	private final TestMailServers servers = new TestMailServers();

	private final ScriptedSmtpServer server = this.servers.first();

	private final DirectMx mx = this.servers.transport();

	@AfterEach
	void close() throws Exception {
		this.servers.close();
	}

	@Test
	void bouncesDoNotOpenTheCircuitBreaker() {
		this.server.answer("RCPT", "550 5.1.1 nobody");
		for (int i = 0; i < 20; i++) {
			assertThat(hand(this.mx, "b.test").outcome()).isInstanceOf(Outcome.Bounced.class);
		}
	}

	@Test
	void repeatedConnectionFailuresOpenTheCircuitBreakerOfThatDestinationOnly() {
		this.servers.dns().publish("A", "dead.test", "127.0.0.4");
		for (int i = 0; i < 5; i++) {
			assertThatThrownBy(() -> hand(this.mx, "dead.test")).isInstanceOfSatisfying(NotOpened.class,
					(ex) -> assertThat(ex.outcome().counts()).isTrue());
		}
		assertThatThrownBy(() -> hand(this.mx, "dead.test")).isInstanceOfSatisfying(NotOpened.class, (ex) -> {
			assertThat(ex.outcome().counts()).as("an open breaker counts no attempt").isFalse();
			assertThat(ex.attempt()).isNull();
		});
		assertThat(hand(this.mx, "b.test").outcome()).isInstanceOf(Outcome.Delivered.class);
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		this.mx.bindTo(meters);
		assertThat(List.of("open", "backing_off", "breaker_open"))
			.map((state) -> meters.get("mailroom.destinations").tag("state", state).gauge().value())
			.containsExactly(1d, 0d, 1d);
	}

	@ParameterizedTest
	@CsvSource({ "RCPT, 451 4.7.1 your mail is unwelcome", "MAIL, 554 blocked using zen.spamhaus.org" })
	void policyRefusalsOfOneAccountDoNotCloseTheDestinationForOthers(String stage, String reply) {
		this.server.answer(stage, reply);
		Route distrusted = route("b.test", false);
		for (int i = 0; i < 5; i++) {
			hand(this.mx, distrusted);
		}
		assertThat(this.mx.closedFor(distrusted)).hasValueSatisfying((time) -> assertThat(time).isPositive());
		assertThatThrownBy(() -> hand(this.mx, distrusted)).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.retryAfter()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30)));
		this.server.behave();
		Route other = new Route(new UUID(0, 1), "b.test", distrusted.transport(), false);
		assertThat(this.mx.closedFor(other)).isEmpty();
		assertThat(hand(this.mx, other).outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.mx.room(other)).as("the session limit is not halved").isGreaterThanOrEqualTo(2);
	}

	@Test
	void anOverloadedServerIsClosedForAllAccounts() {
		this.server.answer("RCPT", "421 4.7.0 too busy");
		Await.until("the breaker opens", () -> {
			hand(this.mx, "b.test");
			return this.mx.closedFor(route("b.test", false)).isPresent();
		});
		assertThat(this.mx.closedFor(new Route(new UUID(0, 1), "b.test", null, false))).isPresent();
	}

	@Test
	void requestsToSlowDownOpenTheCircuitBreaker() {
		this.server.answer("RCPT", "451 4.7.1 greylisted");
		for (int i = 0; i < 10; i++) {
			try {
				hand(this.mx, "b.test");
			}
			catch (NotOpened ex) {
				assertThat(ex.outcome().counts()).isFalse();
			}
		}
		assertThat(this.server.commands().stream().filter((line) -> line.startsWith("RCPT"))).hasSizeBetween(4, 9);
	}

	@ParameterizedTest
	@ValueSource(strings = { "BODY", "MAIL" })
	void lostConnectionsOpenTheCircuitBreaker(String stage) {
		this.server.answer(stage, ScriptedSmtpServer.DROP);
		for (int i = 0; i < 12; i++) {
			try {
				hand(this.mx, "b.test");
			}
			catch (AnswerLost | NotOpened _) {
				// The number of sessions is asserted below.
			}
		}
		assertThat(this.server.sessions()).isLessThan(12);
	}

	@Test
	void theSessionLimitGrowsWithAcceptedMailAndIsHalvedByARequestToSlowDown() {
		Route route = route("b.test", false);
		assertThat(this.mx.room(route)).isEqualTo(2);
		hand(this.mx, "b.test");
		assertThat(this.mx.room(route)).isEqualTo(3);
		for (int i = 0; i < 30; i++) {
			hand(this.mx, "b.test");
		}
		assertThat(this.mx.room(route)).isEqualTo(20);
		assertThat(this.server.sessions()).as("one session carries several mails").isEqualTo(1);
		this.server.answer("RCPT", "421 4.7.0 slow down");
		hand(this.mx, "b.test");
		assertThat(this.mx.room(route)).isEqualTo(10);
		assertThat(this.mx.room(route("other.test", false))).isEqualTo(2);
	}

	@Test
	void anAccountsRateIsLimitedPerDestination() {
		Route route = route("b.test", false);
		assertThat(Await.await(Flux.range(0, 1000).filter((_) -> this.mx.admits(route)).count()))
			.isGreaterThanOrEqualTo(50)
			.isLessThan(1000);
		assertThat(this.mx.admits(route("c.test", false))).isTrue();
	}

}
