package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.tlspolicy.StsPolicy;
import dev.mailroom.tlspolicy.StsPolicy.Mode;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.mailroom.worker.smtp.client.TestMailServers.hand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** MTA-STS with a server of policies, mail servers and DNS on loopback. */
class MtaStsTest {

	private static final String DOMAIN = "b.test";

	@TempDir
	private static Path directory;

	private static TestCertificate valid;

	/** Of the host of the policy. */
	private static TestCertificate another;

	private static TestCertificate unknown;

	private static Path authorities;

	private final TestMailServers servers = new TestMailServers();

	private final ScriptedSmtpServer first = this.servers.first();

	private final Map<String, StsPolicy> stored = new ConcurrentHashMap<>();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final AtomicInteger requests = new AtomicInteger();

	/** The policy is not sent before. */
	private volatile CountDownLatch answer = new CountDownLatch(0);

	private volatile String policy = policy("enforce", "*.mx.test");

	private volatile int status = 200;

	private HttpsServer web;

	@BeforeAll
	static void createCertificates() throws Exception {
		valid = certificate("one.mx.test", "valid");
		another = certificate("mta-sts." + DOMAIN, "another");
		unknown = certificate("one.mx.test", "unknown");
		authorities = Files.writeString(directory.resolve("ca.pem"),
				Files.readString(valid.pem()) + Files.readString(another.pem()));
	}

	private static TestCertificate certificate(String host, String name) throws Exception {
		return TestCertificate.of(host, Files.createDirectory(directory.resolve(name)));
	}

	@BeforeEach
	void start() throws Exception {
		this.web = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.4"), 0), 0);
		this.web.setHttpsConfigurator(new HttpsConfigurator(another.context()));
		this.web.createContext("/.well-known/mta-sts.txt", (exchange) -> {
			this.requests.incrementAndGet();
			await(this.answer);
			byte[] body = this.policy.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().add("Location", "https://mta-sts." + DOMAIN + "/elsewhere");
			exchange.sendResponseHeaders(this.status, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		this.web.start();
		this.servers.dns().publish("A", "mta-sts." + DOMAIN, "127.0.0.4");
		this.servers.dns().publish("TXT", "_mta-sts." + DOMAIN, "v=STSv1; id=20261128a;");
	}

	@AfterEach
	void stop() throws Exception {
		this.web.stop(0);
		this.servers.close();
	}

	private static String policy(String mode, String mx) {
		return "version: STSv1\nmode: " + mode + "\nmx: " + mx + "\nmax_age: 86400\n";
	}

	private DirectMx transport() {
		return this.servers.transport(authorities, this.web.getAddress().getPort(), this.stored, this.registry);
	}

	private double count(String result) {
		return this.registry.counter("mailroom.tls.policy", "policy", "mta_sts", "result", result).count();
	}

	@Test
	void anEnforcedPolicyDeliversToAPermittedServerWithAValidCertificate() throws Exception {
		this.first.withTls(valid.context()).offering("STARTTLS");
		HandOverResult result = hand(transport(), DOMAIN);
		assertThat(result.outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(result.attempt().tls()).startsWith("TLSv1.");
		assertThat(result.attempt().conversation()).contains("MTA-STS policy 20261128a: enforce");
		assertThat(count("enforced")).isOne();
		assertThat(this.servers.counted()).containsExactly("b.test sts b.test 1");
		assertThat(this.stored.get(DOMAIN).mx()).containsExactly("*.mx.test");
	}

	@ParameterizedTest
	@ValueSource(strings = { "no STARTTLS", "another name", "an unknown authority", "a server that is not permitted" })
	void anEnforcedPolicyHandsNothingToAServerWith(String fault) throws Exception {
		offer(fault);
		assertThatThrownBy(() -> hand(transport(), DOMAIN)).isInstanceOfSatisfying(NotOpened.class,
				(error) -> assertThat(error.outcome().reply()).startsWith("451 4.7.5 The MTA-STS policy"));
		assertThat(this.first.mails()).isEmpty();
		assertThat(count("refused")).isOne();
		assertThat(this.servers.counted()).containsExactly(counted(fault));
		assertThat(this.servers.reasons()).singleElement().asString().contains(switch (fault) {
			case "another name" -> "No subject alternative DNS name matching one.mx.test found";
			case "a server that is not permitted" -> "The policy does not name the server";
			default -> "";
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "no STARTTLS", "another name", "an unknown authority", "a server that is not permitted" })
	void aTestedPolicyDeliversAndCountsTheFailureOfAServerWith(String fault) throws Exception {
		offer(fault);
		this.policy = this.policy.replace("enforce", "testing");
		HandOverResult result = hand(transport(), DOMAIN);
		assertThat(result.outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(result.attempt().conversation()).contains("the tested policy would have failed");
		assertThat(count("testing_failed")).isOne();
		assertThat(this.servers.counted()).containsExactly(counted(fault));
	}

	/** The only session that counts. */
	private static String counted(String fault) {
		String contacted = "one.mx.test 127.0.0.2 127.0.0.1 1";
		return "b.test sts b.test " + switch (fault) {
			case "another name" -> "certificate-host-mismatch " + contacted;
			case "an unknown authority" -> "certificate-not-trusted " + contacted;
			case "a server that is not permitted" -> "validation-failure one.mx.test 1";
			default -> "starttls-not-supported " + contacted;
		};
	}

	private void offer(String fault) throws Exception {
		switch (fault) {
			case "another name" -> this.first.withTls(another.context()).offering("STARTTLS");
			case "an unknown authority" -> this.first.withTls(unknown.context()).offering("STARTTLS");
			case "a server that is not permitted" -> {
				this.first.withTls(valid.context()).offering("STARTTLS");
				this.policy = policy("enforce", "mx.test");
			}
			default -> {
				// The server offers nothing.
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 302, 404, 500 })
	void withoutAPolicyTheMailIsDeliveredAndTheFailureIsCounted(int answer) {
		this.status = answer;
		assertThat(hand(transport(), DOMAIN).outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(count("fetch_failed")).isOne();
		assertThat(this.servers.counted())
			.containsExactly("b.test sts b.test sts-policy-fetch-error one.mx.test 127.0.0.2 127.0.0.1 1");
		assertThat(this.stored).isEmpty();
	}

	@Test
	void aPolicyThatIsNotValidOrTooLongDoesNotApply() {
		for (String wrong : List.of("mode: enforce\n", this.policy + "x: " + "y".repeat(65_536) + "\n")) {
			this.policy = wrong;
			assertThat(hand(transport(), DOMAIN).outcome()).isInstanceOf(Outcome.Delivered.class);
		}
		assertThat(count("invalid")).isEqualTo(2);
		assertThat(this.servers.counted())
			.containsExactly("b.test sts b.test sts-policy-invalid one.mx.test 127.0.0.2 127.0.0.1 2");
	}

	@Test
	void aFetchedPolicyAppliesAfterARestartWhileItsHostAndItsRecordAreGone() {
		this.stored.put(DOMAIN, new StsPolicy("20261128a", Mode.ENFORCE, List.of("*.mx.test"), Duration.ofDays(2),
				Instant.now().minus(Duration.ofHours(30))));
		this.web.stop(0);
		assertThatThrownBy(() -> hand(transport(), DOMAIN)).hasMessageContaining("MTA-STS policy");
		this.servers.dns().remove("TXT", "_mta-sts." + DOMAIN);
		assertThatThrownBy(() -> hand(transport(), DOMAIN)).hasMessageContaining("MTA-STS policy");
		this.stored.computeIfPresent(DOMAIN,
				(_, old) -> new StsPolicy(old.id(), old.mode(), old.mx(), Duration.ofHours(20), old.fetchedAt()));
		assertThat(hand(transport(), DOMAIN).outcome()).as("expired").isInstanceOf(Outcome.Delivered.class);
	}

	@Test
	void anotherIdInTheRecordReplacesThePolicyAtOnce() {
		this.stored.put(DOMAIN,
				new StsPolicy("old", Mode.ENFORCE, List.of("*.mx.test"), Duration.ofDays(2), Instant.now()));
		this.policy = policy("none", "*.mx.test");
		assertThat(hand(transport(), DOMAIN).outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.stored.get(DOMAIN).mode()).isEqualTo(Mode.NONE);
	}

	@Test
	void severalRecordsCountAsNone() {
		this.servers.dns().publish("TXT", "_mta-sts." + DOMAIN, "v=STSv1; id=a;", "v=STSv1; id=b;");
		assertThat(hand(transport(), DOMAIN).outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.requests).hasValue(0);
	}

	@Test
	void anEnforcedDomainSharesNoSessionWithADomainOfTheSameServers() throws Exception {
		this.first.withTls(another.context()).offering("STARTTLS");
		this.servers.dns().publish("MX", "free.test", "20 two.mx.test", "10 one.mx.test");
		DirectMx mx = transport();
		assertThat(hand(mx, "free.test").outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThatThrownBy(() -> hand(mx, DOMAIN)).hasMessageContaining("MTA-STS policy");
		assertThat(mx.destination(TestMailServers.route(DOMAIN, false)))
			.isNotEqualTo(mx.destination(TestMailServers.route("free.test", false)));
		assertThat(this.first.mails()).hasSize(1);
	}

	@Test
	void failuresOfOnePolicyDoNotCloseTheServersForOtherDomains() {
		this.servers.dns().publish("MX", "free.test", "20 two.mx.test", "10 one.mx.test");
		DirectMx mx = transport();
		for (int i = 0; i < 12; i++) {
			assertThatThrownBy(() -> hand(mx, DOMAIN)).hasMessageContaining("MTA-STS policy");
		}
		assertThat(hand(mx, "free.test").outcome()).isInstanceOf(Outcome.Delivered.class);
	}

	@Test
	void mailThatRequiresTlsGetsNoWeakerSessionWhenAPolicyHasEnded() throws Exception {
		this.first.withTls(valid.context()).offering("STARTTLS");
		DirectMx mx = transport();
		assertThat(hand(mx, DOMAIN).attempt().tls()).startsWith("TLSv1.");
		this.stored.clear();
		this.servers.dns().remove("TXT", "_mta-sts." + DOMAIN);
		this.first.offering("PIPELINING");
		assertThatThrownBy(() -> hand(
				this.servers.transport(authorities, this.web.getAddress().getPort(), this.stored, this.registry),
				TestMailServers.route(DOMAIN, true)))
			.isInstanceOf(NotOpened.class);
	}

	@Test
	void mailThatComesWhileAPolicyIsFetchedWaitsForIt() throws Exception {
		this.answer = new CountDownLatch(1);
		DirectMx mx = transport();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<HandOverResult> one = threads.submit(() -> hand(mx, DOMAIN));
			Await.until("the policy is asked for", () -> this.requests.get() == 1);
			Future<HandOverResult> two = threads.submit(() -> hand(mx, DOMAIN));
			assertThatThrownBy(() -> two.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
			this.answer.countDown();
			assertThatThrownBy(one::get).hasMessageContaining("MTA-STS policy");
			assertThatThrownBy(two::get).hasMessageContaining("MTA-STS policy");
		}
		assertThat(this.first.mails()).isEmpty();
		assertThat(this.requests).hasValue(1);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void withoutAPolicyASessionCountsOnceAlsoIfTlsFailsAndIsLeftOut() throws Exception {
		this.servers.dns().remove("TXT", "_mta-sts." + DOMAIN);
		this.first.offering("STARTTLS").answer("STARTTLS", "454 later");
		DirectMx mx = transport();
		hand(mx, DOMAIN);
		hand(mx, DOMAIN);
		assertThat(this.servers.counted())
			.containsExactly("b.test no-policy-found b.test starttls-not-supported one.mx.test 127.0.0.2 127.0.0.1 1");
		this.first.behave();
		this.first.withTls(unknown.context());
		this.servers.dns().publish("MX", "encrypted.test", "10 one.mx.test");
		hand(transport(), "encrypted.test");
		assertThat(this.servers.counted()).contains("encrypted.test no-policy-found encrypted.test 1").hasSize(2);
	}

	@Test
	void aDomainIsLookedUpOnceForManyMails() {
		this.policy = this.policy.replace("enforce", "none");
		DirectMx mx = transport();
		hand(mx, DOMAIN);
		hand(mx, DOMAIN);
		assertThat(this.requests).hasValue(1);
	}

}
