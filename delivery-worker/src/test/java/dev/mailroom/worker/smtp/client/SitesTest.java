package dev.mailroom.worker.smtp.client;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.site.Profiles;
import dev.mailroom.site.Sites;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import static dev.mailroom.worker.smtp.client.TestMailServers.hand;
import static dev.mailroom.worker.smtp.client.TestMailServers.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Sites, rules for replies and the learned pace of direct delivery. */
@Execution(ExecutionMode.CONCURRENT)
class SitesTest {

	private static final String RATE = "421 4.7.0 too many connections from 192.0.2.1";

	private static final String PAUSE = "421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to "
			+ "unexpected volume or user complaints";

	private final TestMailServers servers = new TestMailServers();

	private final ScriptedSmtpServer server = this.servers.first();

	private final MxSettings settings = this.servers.settings(TlsMode.STARTTLS, null, true, true);

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final SitePaces paces = paces(this.meters);

	private final DirectMx mx = this.servers.transport(this.settings, this.paces);

	@TempDir
	Path directory;

	@BeforeEach
	void publish() {
		this.servers.dns().publish("MX", "yahoo.test", "10 mta5.am0.yahoodns.net");
		this.servers.dns().publish("A", "mta5.am0.yahoodns.net", "127.0.0.2");
	}

	@AfterEach
	void close() throws Exception {
		this.servers.close();
	}

	@Test
	void aHundredDomainsWithTheSameServersShareTheSessionsOfTheirSite() {
		List<String> domains = Stream.iterate(0, (i) -> i + 1).limit(100).map((i) -> "d" + i + ".test").toList();
		domains.forEach((domain) -> this.servers.dns().publish("MX", domain, "10 one.mx.test", "20 two.mx.test"));
		AtomicInteger most = new AtomicInteger();
		Await.await(
				Flux.fromIterable(domains)
					.repeat(1)
					.flatMap(
							(domain) -> Mono.fromCallable(() -> hand(this.mx, domain))
								.subscribeOn(Schedulers.boundedElastic())
								.retryWhen(Retry.fixedDelay(1_000, Duration.ofMillis(20))
									.filter(NotOpened.class::isInstance))
								.doOnNext(
										(_) -> most.accumulateAndGet(this.mx.link("d1.test").connections(), Math::max)),
							60)
					.then());
		assertThat(this.server.mails()).hasSize(200);
		assertThat(most.get()).isBetween(1, 20);
		assertThat(this.server.sessions()).as("sessions are shared").isLessThanOrEqualTo(20);
		assertThat(domains).allSatisfy(
				(domain) -> assertThat(this.mx.destination(route(domain, false))).isEqualTo("one.mx.test two.mx.test"));
	}

	@Test
	void domainsOfAProviderShareItsLimitsButNoSessions() {
		this.servers.dns().publish("MX", "other.test", "10 mx-two.yahoodns.net");
		this.servers.dns().publish("A", "mx-two.yahoodns.net", "127.0.0.2");
		for (int i = 0; i < 30; i++) {
			hand(this.mx, (i % 2 == 0) ? "yahoo.test" : "other.test");
		}
		assertThat(this.server.sessions()).isEqualTo(2);
		assertThat(this.mx.room(route("yahoo.test", false))).as("sessions of the profile").isEqualTo(10);
		assertThat(this.mx.link("other.test").connections()).isEqualTo(2);
		refused("yahoo.test", RATE);
		assertThat(this.mx.room(route("other.test", false))).isEqualTo(5);
		assertThat(this.mx.link("other.test").site().key()).isEqualTo("yahoo");
	}

	@Test
	void anIdleSessionOfAnotherDomainMakesRoom() {
		this.paces.know(List.of(), new Sites.Known(Profiles.shipped(), List.of()), 1_000);
		this.servers.dns().publish("MX", "other.test", "10 mx-two.yahoodns.net");
		this.servers.dns().publish("A", "mx-two.yahoodns.net", "127.0.0.2");
		hand(this.mx, "yahoo.test");
		assertThat(this.mx.room(route("yahoo.test", false))).as("share of this worker").isEqualTo(1);
		hand(this.mx, "other.test");
		assertThat(this.mx.link("other.test").connections()).isEqualTo(1);
		assertThat(this.server.mails()).hasSize(2);
	}

	@Test
	void aRateReplyHalvesThePaceOfItsSiteWhichGrowsAndSurvivesARestart() {
		for (int i = 0; i < 20; i++) {
			hand(this.mx, "b.test");
		}
		refused("b.test", RATE);
		assertThat(this.mx.room(route("b.test", false))).isEqualTo(10);
		assertThat(this.mx.closedFor(route("b.test", false))).isEmpty();
		assertThat(pace("other")).isEqualTo(0.5);
		assertThat(pace("yahoo")).isEqualTo(1);
		assertThat(this.meters.counter("mailroom.site.pauses", "provider", "other", "action", "slow").count()).isOne();

		SitePaces restarted = paces(new SimpleMeterRegistry());
		restarted.know(List.of(), new Sites.Known(Profiles.shipped(), this.paces.unsaved()), 1);
		DirectMx second = this.servers.transport(this.settings, restarted);
		for (int i = 0; i < 20; i++) {
			hand(second, "b.test");
		}
		assertThat(second.room(route("b.test", false))).isEqualTo(10);
		advance(Duration.ofMinutes(20));
		for (int i = 0; i < 20; i++) {
			hand(second, "b.test");
		}
		assertThat(second.room(route("b.test", false))).isEqualTo(14);
	}

	@Test
	void aSlowedSiteGetsItsRate() {
		refused("b.test", RATE);
		// Half of the least measure: 30 mails a minute, one each 2 s.
		Route route = route("b.test", false);
		int admitted = 0;
		for (int i = 0; i < 40; i++) {
			admitted += this.mx.admits(route) ? 1 : 0;
			advance(Duration.ofSeconds(1));
		}
		assertThat(admitted).isEqualTo(21);
		advance(Duration.ofSeconds(1));
		assertThat(this.mx.admits(route)).isTrue();
		assertThat(this.mx.closedFor(route))
			.hasValueSatisfying((time) -> assertThat(time).isEqualTo(Duration.ofSeconds(2)));
	}

	@Test
	void aPauseLastsThroughARestartAndEndsWithTwoTrials() {
		refused("yahoo.test", PAUSE);
		Route route = route("yahoo.test", false);
		assertThat(this.mx.closedFor(route)).hasValue(Duration.ofMinutes(1));
		assertThat(pace("yahoo")).isZero();

		SitePaces restarted = paces(new SimpleMeterRegistry());
		restarted.know(List.of(), new Sites.Known(Profiles.shipped(), this.paces.unsaved()), 1);
		DirectMx second = this.servers.transport(this.settings, restarted);
		assertThatThrownBy(() -> hand(second, route)).isInstanceOfSatisfying(NotOpened.class, (ex) -> {
			assertThat(ex.counts()).isFalse();
			assertThat(ex.retryAfter()).isEqualTo(Duration.ofMinutes(1));
		});
		advance(Duration.ofSeconds(61));
		assertThat(Stream.generate(() -> second.admits(route)).limit(10)).containsExactly(true, true, false, false,
				false, false, false, false, false, false);
		assertThat(second.closedFor(route)).isPresent();
		hand(second, route);
		assertThat(second.closedFor(route)).isEmpty();
		assertThat(Stream.generate(() -> second.admits(route)).limit(10)).containsOnly(true);
	}

	@Test
	void trialsThatAreRefusedPauseTwiceAsLong() {
		this.server.answer("RCPT", PAUSE);
		Route route = route("yahoo.test", false);
		hand(this.mx, route);
		advance(Duration.ofSeconds(61));
		assertThat(this.mx.admits(route)).isTrue();
		hand(this.mx, route);
		assertThat(this.mx.closedFor(route)).hasValue(Duration.ofMinutes(2));
	}

	@Test
	void aPauseInTheGreetingIsLearned() {
		this.server.answer("GREETING", PAUSE, 1);
		assertThatThrownBy(() -> hand(this.mx, "yahoo.test")).isInstanceOf(NotOpened.class);
		assertThat(this.mx.closedFor(route("yahoo.test", false))).hasValue(Duration.ofMinutes(1));
	}

	@ParameterizedTest
	@CsvSource({ "450 4.2.0 <c@b.test>: Recipient address rejected: Greylisted for 5 minutes, 300",
			"451 4.7.1 Greylisting in action; please come back in 00:04:59, 299",
			"450 4.7.1 Please try again in 20 seconds, 20", "451 Greylisted, 360", "451 4.7.1 Try again later, 360" })
	void greylistingDelaysTheMailAndIsNoFailure(String reply, long seconds) {
		this.server.answer("RCPT", reply);
		for (int i = 0; i < 20; i++) {
			assertThat(hand(this.mx, "b.test").outcome())
				.isEqualTo(new Outcome.Deferred(reply, Duration.ofSeconds(seconds)));
		}
		Route route = route("b.test", false);
		assertThat(this.mx.closedFor(route)).isEmpty();
		assertThat(this.mx.room(route)).isEqualTo(2);
		assertThat(this.paces.unsaved()).isEmpty();
	}

	@Test
	void allLinesOfAReplyAreCompared() {
		this.server.answer("RCPT", "421-4.7.0 Our systems noticed\r\n421-4.7.0 something about your mail.\r\n"
				+ "421 4.7.0 [TSS04] See our page");
		hand(this.mx, "yahoo.test");
		assertThat(this.mx.closedFor(route("yahoo.test", false))).hasValue(Duration.ofMinutes(1));
	}

	@Test
	void aRefusalOfOneAccountWithoutARuleClosesItForThatAccountOnly() {
		this.server.answer("RCPT", "451 4.7.1 your mail is unwelcome");
		Route distrusted = route("b.test", false);
		for (int i = 0; i < 5; i++) {
			hand(this.mx, distrusted);
		}
		assertThat(this.mx.closedFor(distrusted)).isPresent();
		assertThat(this.mx.closedFor(new Route(new UUID(0, 1), "b.test", distrusted.transport(), false))).isEmpty();
	}

	@Test
	void aServerWhoseTlsFailsIsContactedWithoutItForAnHour() throws Exception {
		this.server.withTls(TestCertificate.of("one.mx.test", this.directory).context()).offering("STARTTLS");
		this.server.answer("STARTTLS", "220 2.0.0 Go on" + ScriptedSmtpServer.HANG_UP);
		hand(this.mx, "b.test");
		assertThat(this.server.sessions()).isEqualTo(2);
		this.servers.dns().publish("MX", "c.test", "10 one.mx.test");
		hand(this.mx, "c.test");
		assertThat(this.server.sessions()).isEqualTo(3);
		assertThat(this.server.commands()).filteredOn("STARTTLS"::equals).hasSize(1);
		assertThatThrownBy(() -> hand(this.mx, route("c.test", true))).isInstanceOf(NotOpened.class);
	}

	@Test
	void aProfileMayDemandEncryption() throws Exception {
		this.servers.dns().publish("MX", "g.test", "10 aspmx.l.google.com");
		this.servers.dns().publish("A", "aspmx.l.google.com", "127.0.0.2");
		assertThatThrownBy(() -> hand(this.mx, "g.test")).isInstanceOf(NotOpened.class);
		assertThat(this.server.commands()).noneMatch((line) -> line.startsWith("MAIL"));
		this.server.withTls(TestCertificate.of("elsewhere.test", this.directory).context()).offering("STARTTLS");
		assertThat(hand(this.mx, "g.test").attempt().tls()).startsWith("TLSv1.");
	}

	private void refused(String domain, String reply) {
		this.server.answer("RCPT", reply);
		assertThat(hand(this.mx, domain).outcome()).isEqualTo(new Outcome.Deferred(reply));
		this.server.behave();
	}

	private double pace(String provider) {
		return this.meters.get("mailroom.site.pace").tag("provider", provider).gauge().value();
	}

	private SitePaces paces(SimpleMeterRegistry registry) {
		InstantSource source = this.now::get;
		return new SitePaces(this.settings, source.withZone(ZoneOffset.UTC), registry);
	}

	private void advance(Duration time) {
		this.now.updateAndGet((instant) -> instant.plus(time));
	}

}
