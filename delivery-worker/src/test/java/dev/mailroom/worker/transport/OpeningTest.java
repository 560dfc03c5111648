package dev.mailroom.worker.transport;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.mailroom.outcome.Outcome;
import dev.mailroom.worker.ScriptedSmtpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static dev.mailroom.worker.transport.SmtpRelayTest.ANYWHERE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OpeningTest {

	private static final byte[] MESSAGE = "Subject: x\r\n\r\nhi\r\n".getBytes(StandardCharsets.UTF_8);

	private final ScriptedSmtpServer server = new ScriptedSmtpServer();

	private final List<Boolean> onEventLoop = new CopyOnWriteArrayList<>();

	private SmtpRelay relay = new SmtpRelay(settings(20, Duration.ofSeconds(20)), Clock.systemUTC());

	@AfterEach
	void close() {
		this.relay.destroy();
		this.server.close();
	}

	@Test
	void aServerThatDoesNotGreetIsGivenUpInTimeAndNotTriedAgainInPlace() {
		this.server.answer("GREETING", ScriptedSmtpServer.STALL);
		this.relay = new SmtpRelay(settings(20, Duration.ofSeconds(1)), Clock.systemUTC());
		assertThatThrownBy(this::hand).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.outcome().counts()).isTrue());
		assertThat(this.server.sessions()).isEqualTo(1);
	}

	@Test
	void aServerThatDoesNotKnowEhloIsGreetedAsOfOld() {
		this.server.answer("EHLO", "502 5.5.1 What?");
		assertThat(hand()).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.server.commands()).contains("HELO helo.test");
	}

	@Test
	void aNameIsAskedForWhereThatMayWaitAndEachOfItsAddressesIsTried() {
		this.relay = new SmtpRelay(settings(20, Duration.ofSeconds(20)), Clock.systemUTC(), (_) -> {
			this.onEventLoop.add(Schedulers.isInNonBlockingThread());
			return new InetAddress[] { InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.1") };
		});
		assertThat(hand()).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.onEventLoop).containsExactly(false);
	}

	@Test
	void aNameThatIsNotAnsweredForIsGivenUpInTime() {
		CountDownLatch never = new CountDownLatch(1);
		this.relay = new SmtpRelay(settings(20, Duration.ofSeconds(1)), Clock.systemUTC(), (_) -> {
			try {
				never.await();
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
			}
			return new InetAddress[0];
		});
		assertThatThrownBy(this::hand).isInstanceOf(NotOpened.class);
	}

	@Test
	void whereAllSessionsAreInUseNoAttemptIsCounted() {
		this.relay = new SmtpRelay(settings(1, Duration.ofSeconds(1)), Clock.systemUTC());
		assertThat(hand()).isInstanceOf(Outcome.Delivered.class);
		Disposable busy = this.relay.with(ANYWHERE, (_) -> Mono.never()).subscribe();
		assertThatThrownBy(this::hand).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.outcome().counts()).isFalse());
		busy.dispose();
	}

	@Test
	void aSessionCarriesSoManyMailsHoweverTheyAreLentIt() {
		this.relay.with(ANYWHERE, (session) -> Flux.range(0, 100).concatMap((_) -> hand(session)).then())
			.block(Duration.ofSeconds(30));
		assertThat(hand()).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.server.sessions()).isEqualTo(2);
	}

	@Test
	void aServerThatDoesNotSayGoodbyeDoesNotHoldUpAStop() {
		assertThat(hand()).isInstanceOf(Outcome.Delivered.class);
		this.server.answer("QUIT", ScriptedSmtpServer.STALL);
		long before = System.nanoTime();
		this.relay.destroy();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
		this.server.behave();
	}

	private Outcome hand() {
		return this.relay.with(ANYWHERE, OpeningTest::hand).block(Duration.ofSeconds(30));
	}

	private static Mono<Outcome> hand(Session session) {
		return session.hand(new Envelope("b@a.test", "b@c.test"), MESSAGE).map(HandOverResult::outcome);
	}

	private RelaySettings settings(int sessions, Duration openTimeout) {
		return new RelaySettings("localhost", this.server.port(), null, null, TlsMode.NONE, null, true, "helo.test",
				sessions, Duration.ofSeconds(5), openTimeout, Duration.ofSeconds(60), Duration.ofSeconds(60));
	}

}
