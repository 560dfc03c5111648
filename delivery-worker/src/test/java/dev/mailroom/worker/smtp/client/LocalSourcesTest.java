package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingPool;
import dev.mailroom.source.SendingPool.Weighted;
import dev.mailroom.source.SendingPool.WhenEmpty;
import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSource;
import dev.mailroom.source.SendingSource.State;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import dev.mailroom.worker.smtp.client.SessionOpener.From;
import dev.mailroom.worker.smtp.client.SessionOpener.NotBound;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/** Sending addresses of direct delivery, with servers that see them. */
@Execution(ExecutionMode.CONCURRENT)
class LocalSourcesTest {

	private static final SendingSource ONE = source("one", "127.0.1.11", null, State.ACTIVE);

	private static final SendingSource TWO = source("two", "127.0.1.12", null, State.ACTIVE);

	private final TestMailServers servers = new TestMailServers();

	private final ScriptedSmtpServer server = this.servers.first();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final AtomicReference<SendingPools> pools = new AtomicReference<>();

	private final LocalSources sources = new LocalSources(this.pools::get, (_, _) -> true, Clock.systemUTC(),
			this.meters);

	private final MxSettings settings = this.servers.settings(TlsMode.STARTTLS, null, true, true);

	private final DirectMx mx = this.servers.transport(this.settings,
			new SitePaces(this.settings, Clock.systemUTC(), this.meters), this.sources);

	@BeforeEach
	void both() {
		pool(WhenEmpty.WAIT, Map.of(ONE, 1, TWO, 1));
	}

	@AfterEach
	void close() throws Exception {
		this.servers.close();
	}

	private void pool(WhenEmpty whenEmpty, Map<SendingSource, Integer> weights) {
		this.pools.set(new SendingPools(weights.keySet(),
				List.of(new SendingPool("main", whenEmpty, null,
						weights.entrySet()
							.stream()
							.map((entry) -> new Weighted(entry.getKey().name(), entry.getValue()))
							.toList())),
				List.of(new PoolChoice(PoolChoice.Kind.PLATFORM, "", false, "main")), Set.of(), List.of()));
	}

	private static SendingSource source(String name, String v4, String v6, State state) {
		return new SendingSource(name, v4, v6, null, null, name + ".mail.test", state, null);
	}

	@Test
	void mailOfAPoolLeavesFromItsAddressesWithTheNameOfEach() {
		for (int i = 0; i < 20; i++) {
			this.servers.dns().publish("MX", "d" + i + ".test", "10 one.mx.test");
			Route route = route("d" + i + ".test", false);
			HandOverResult handed = hand(route);
			assertThat(handed.outcome()).isInstanceOf(Outcome.Delivered.class);
			assertThat(handed.attempt().source()).isEqualTo(source(route).v4());
		}
		assertThat(this.server.mails()).extracting((mail) -> mail.peer() + " " + mail.client())
			.containsOnly("127.0.1.11 one.mail.test", "127.0.1.12 two.mail.test");
		assertThat(this.server.sessions()).as("domains with the same servers share sessions of an address")
			.isEqualTo(2);
		assertThat(TestMailServers.hand(this.mx, "b.test").attempt().source()).as("mail without a pool").isNull();
		assertThat(this.server.mails().getLast()).satisfies((mail) -> {
			assertThat(mail.peer()).isEqualTo("127.0.0.1");
			assertThat(mail.client()).isEqualTo("helo.test");
		});
		assertThat(this.mx.link("d0.test").connections()).as("sessions of the site from all addresses").isEqualTo(2);
	}

	@Test
	void withoutPoolsProfilesAndPoliciesACampaignHasTheAttemptsAndBytesOfPlainDelivery() {
		this.pools.set(SendingPools.NONE);
		MxSettings off = this.servers.settings(TlsMode.STARTTLS, null, true, false);
		DirectMx plain = this.servers.transport(off, new SitePaces(off, Clock.systemUTC(), this.meters), this.sources);
		List<String> conversations = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			Route route = TestMailServers.route("b.test", false);
			Lease lease = new Lease(UUID.randomUUID(), 1, route);
			assertThat(plain.permits(route)).isTrue();
			HandOverResult handed = TestMailServers.hand(plain, plain.assign(lease).route());
			assertThat(plain.assign(lease).route()).isSameAs(route);
			assertThat(handed.outcome()).isInstanceOf(Outcome.Delivered.class);
			assertThat(handed.attempt().source()).isNull();
			conversations.add(handed.attempt().conversation().replaceAll("(?m)^\\d+ (mail \\d+ )?", ""));
		}
		assertThat(this.server.sessions()).isEqualTo(1);
		assertThat(Set.copyOf(conversations.subList(1, 50))).hasSize(1);
		assertThat(conversations.getLast()).contains("C: MAIL FROM:<b@a.test>", "C: RCPT TO:<c@b.test>", "C: DATA");
		assertThat(Set.copyOf(this.server.mails())).singleElement().satisfies((mail) -> {
			assertThat(mail.client()).isEqualTo("helo.test");
			assertThat(mail.peer()).isEqualTo("127.0.0.1");
			assertThat(mail.content()).isEqualTo("Subject: x\r\n\r\nhi\r\n");
		});
		assertThat(this.sources.takeCounted()).isEmpty();
	}

	@Test
	void weightsDivideTheMailOfABusyDomain() {
		pool(WhenEmpty.WAIT, Map.of(ONE, 3, TWO, 1));
		Map<String, Long> counts = IntStream.range(0, 4_000)
			.mapToObj((_) -> route("b.test", false).origin().source())
			.collect(Collectors.groupingBy((name) -> name, Collectors.counting()));
		assertThat(counts.get("one") / 40.0).isCloseTo(75, within(3.0));
	}

	@Test
	void aRetryHasTheSameAddressWhileItCanBeUsed() {
		String before = route("b.test", false).origin().source();
		for (int i = 0; i < 100; i++) {
			Lease lease = lease("b.test", false);
			String first = this.mx.assign(lease).route().origin().source();
			Lease retry = new Lease(lease.delivery(), 2, unassigned("b.test", true));
			assertThat(this.mx.assign(retry).route().origin().source()).isEqualTo(first);
		}
		assertThat(route("b.test", true).origin().source()).as("of the domain").isEqualTo(before);
		SendingSource used = before.equals("one") ? ONE : TWO;
		SendingSource other = before.equals("one") ? TWO : ONE;
		pool(WhenEmpty.WAIT, Map.of(paused(used), 1, other, 1));
		assertThat(route("b.test", true).origin().source()).isEqualTo(other.name());
	}

	private static SendingSource paused(SendingSource source) {
		return source(source.name(), source.v4(), source.v6(), State.PAUSED);
	}

	@Test
	void anAddressOfIpv4NeverConnectsByIpv6() throws Exception {
		this.servers.dns().publish("A", "six.test", "127.0.0.2");
		this.servers.dns().publish("MX", "six.test", "10 six.mx.test");
		this.servers.dns().publish("AAAA", "six.mx.test", "::1");
		try (ScriptedSmtpServer six = new ScriptedSmtpServer(InetAddress.ofLiteral("::1"), this.server.port())) {
			assertThatThrownBy(() -> hand(route("six.test", false))).isInstanceOfSatisfying(NotOpened.class, (ex) -> {
				assertThat(ex.counts()).isTrue();
				assertThat(ex.getMessage()).contains("has no address of IPv6");
			});
			assertThat(six.sessions()).isZero();
			pool(WhenEmpty.WAIT, Map.of(source("dual", "127.0.1.13", "::1", State.ACTIVE), 1));
			hand(route("six.test", false));
			assertThat(six.mails()).singleElement()
				.satisfies((mail) -> assertThat(mail.client()).isEqualTo("dual.mail.test"));
		}
	}

	@Test
	void anAddressThatIsNotLocalIsNoFailureOfTheServer() {
		SendingSource gone = source("gone", "192.0.2.99", null, State.ACTIVE);
		pool(WhenEmpty.WAIT, Map.of(gone, 1));
		assertThat(this.mx.assign(lease("b.test", false)).route()).as("the mail waits").isNull();
		this.sources.probe();
		assertThat(this.meters.get("mailroom.pool.sources").tag("pool", "main").gauge().value()).isZero();
		assertThat(this.meters.get("mailroom.source.present").tag("source", "gone").gauge().value()).isZero();
		Route assigned = unassigned("b.test", false);
		Route lost = assigned.from(assigned.origin().from("gone"));
		for (int i = 0; i < 20; i++) {
			assertThatThrownBy(() -> hand(lost)).isInstanceOfSatisfying(NotOpened.class,
					(ex) -> assertThat(ex.counts()).isFalse());
		}
		assertThat(this.mx.closedFor(lost)).isEmpty();
		pool(WhenEmpty.WAIT, Map.of(gone, 100, ONE, 1));
		assertThat(hand(route("b.test", false)).attempt().source()).isEqualTo("127.0.1.11");
		pool(WhenEmpty.ANY, Map.of(gone, 1));
		assertThat(hand(route("b.test", false)).attempt().source()).isNull();
	}

	@Test
	void aBindErrorIsToldApartFromAFailureOfTheServer() {
		SessionOpener opener = new SessionOpener(this.settings.options("mx", TlsMode.NONE), null);
		InetSocketAddress server = new InetSocketAddress("127.0.0.2", this.server.port());
		From gone = new From(InetAddress.ofLiteral("192.0.2.99"), "x.test");
		Mono<Throwable> failure = opener.open("one.mx.test", server, gone, new Transcript(Clock.systemUTC()))
			.<Throwable>map((_) -> new IllegalStateException("opened"))
			.onErrorResume(Mono::just);
		assertThat(Await.await(failure)).isInstanceOf(NotBound.class);
		assertThat(this.server.sessions()).isZero();
	}

	@Test
	void aPausedAddressBeginsNoFurtherMail() {
		Route route = route("b.test", false);
		SendingSource used = source(route);
		List<Boolean> open = new ArrayList<>();
		Await.await(this.mx.with(route, (session) -> {
			open.add(session.isOpen());
			pool(WhenEmpty.WAIT, Map.of(paused(used), 1));
			open.add(session.isOpen());
			return Mono.just(true);
		}));
		assertThat(open).containsExactly(true, false);
		assertThatThrownBy(() -> hand(route)).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.counts()).isFalse());
		assertThat(this.mx.assign(lease("b.test", false)).route()).isNull();
		pool(WhenEmpty.WAIT, Map.of(source(used.name(), used.v4(), null, State.DRAINING), 1));
		assertThat(this.mx.assign(lease("b.test", false)).route()).as("no first attempt").isNull();
		assertThat(hand(route("b.test", true)).attempt().source()).isEqualTo(used.v4());
	}

	@Test
	void theLearnedPaceIsThatOfTheSiteAndTheAddress() {
		Route route = route("b.test", false);
		Route.Origin origin = route.origin();
		Route other = route.from(origin.from(origin.source().equals("one") ? "two" : "one"));
		for (int i = 0; i < 20; i++) {
			hand(route);
			hand(other);
		}
		this.server.answer("RCPT", "421 4.7.0 too many connections from 192.0.2.1");
		hand(route);
		this.server.behave();
		assertThat(this.mx.room(route)).isEqualTo(10);
		assertThat(this.mx.room(other)).isEqualTo(20);
		this.server.answer("RCPT",
				"421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints");
		this.servers.dns().publish("MX", "yahoo.test", "10 mta5.am0.yahoodns.net");
		this.servers.dns().publish("A", "mta5.am0.yahoodns.net", "127.0.0.2");
		Route first = route("yahoo.test", false);
		hand(first);
		this.server.behave();
		assertThat(this.mx.closedFor(first)).isPresent();
		Route second = route("yahoo.test", false);
		assertThat(second.origin().source()).as("an address that is not paused").isNotEqualTo(first.origin().source());
		assertThat(hand(second).outcome()).isInstanceOf(Outcome.Delivered.class);
	}

	private HandOverResult hand(Route route) {
		return TestMailServers.hand(this.mx, route);
	}

	/** The route of a new mail with its address. */
	private Route route(String domain, boolean retry) {
		return this.mx.assign(lease(domain, retry)).route();
	}

	private static Lease lease(String domain, boolean retry) {
		return new Lease(UUID.randomUUID(), 1, unassigned(domain, retry));
	}

	private static Route unassigned(String domain, boolean retry) {
		return TestMailServers.route(domain, false).from(new Route.Origin("main", false, retry, null));
	}

	private SendingSource source(Route route) {
		return this.pools.get().sources().get(route.origin().source());
	}

}
