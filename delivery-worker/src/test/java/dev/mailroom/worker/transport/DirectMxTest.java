package dev.mailroom.worker.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.domain.TestDns;
import dev.mailroom.outcome.Attempt;
import dev.mailroom.outcome.Outcome;
import dev.mailroom.queue.Route;
import dev.mailroom.queue.TransportKind;
import dev.mailroom.worker.ScriptedSmtpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.SimpleResolver;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DirectMxTest {

	private static final byte[] MESSAGE = "Subject: x\r\n\r\nhi\r\n".getBytes(StandardCharsets.UTF_8);

	@TempDir
	Path directory;

	private final TestDns dns = new TestDns();

	private final Map<String, ScriptedSmtpServer> servers = new HashMap<>();

	private final ScriptedSmtpServer first = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.2"), 0);

	private DirectMx mx;

	@BeforeEach
	void publish() {
		this.dns.publish("MX", "b.test", "20 two.mx.test", "10 one.mx.test");
		this.dns.publish("A", "one.mx.test", "127.0.0.2");
		this.dns.publish("A", "two.mx.test", "127.0.0.3");
		this.mx = mx(TlsMode.STARTTLS, null, true);
	}

	@AfterEach
	void close() {
		this.mx.destroy();
		this.first.close();
		this.servers.values().forEach(ScriptedSmtpServer::close);
		this.dns.close();
	}

	@Test
	void thePreferredServerTakesTheMailAndItsWordIsTheLast() {
		ScriptedSmtpServer second = server("127.0.0.3");
		HandOverResult handed = hand("b.test");
		assertThat(handed.outcome()).isEqualTo(new Outcome.Delivered("250 2.0.0 Taken"));
		Attempt attempt = handed.attempt();
		assertThat(attempt.transport() + " " + attempt.host() + " " + attempt.address())
			.isEqualTo("mx one.mx.test 127.0.0.2");
		assertThat(attempt.conversation()).contains("C: EHLO helo.test", "S: 354");
		assertThat(this.first.mails()).hasSize(1);
		assertThat(second.mails()).isEmpty();
	}

	@Test
	void theNextServerIsTriedWhereOneRefusesTheConnectionOrTheSession() {
		ScriptedSmtpServer second = server("127.0.0.3");
		this.first.answer("GREETING", "421 4.3.2 too busy");
		HandOverResult handed = hand("b.test");
		assertThat(handed.attempt().host()).isEqualTo("two.mx.test");
		assertThat(handed.attempt().conversation()).contains("to one.mx.test [127.0.0.2]", "S: 421 4.3.2 too busy",
				"to two.mx.test [127.0.0.3]");
		this.first.close();
		this.dns.publish("MX", "other.test", "10 one.mx.test", "20 two.mx.test");
		assertThat(hand("other.test").outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(second.mails()).hasSize(2);
	}

	@Test
	void serversThatAreEquallyPreferredShareTheMail() {
		server("127.0.0.3");
		this.dns.publish("MX", "equal.test", "one.mx.test", "two.mx.test");
		MailServers asked = servers();
		assertThat(Flux.range(0, 60)
			.concatMap((_) -> asked.of("equal.test"))
			.map((hosts) -> hosts.getFirst())
			.distinct()
			.collectList()
			.block(Duration.ofSeconds(10))).containsExactlyInAnyOrder("one.mx.test", "two.mx.test");
	}

	@Test
	void whatStandsBehindOurselvesWouldOnlyHandItBackAndIsLeftOut() {
		this.dns.publish("MX", "backup.test", "30 two.mx.test", "20 US.mx.test", "10 one.mx.test", "20 six.mx.test");
		this.dns.publish("MX", "ours.test", "20 two.mx.test", "10 us.mx.test");
		MailServers asked = servers();
		assertThat(asked.of("backup.test").block(Duration.ofSeconds(10))).containsExactly("one.mx.test");
		assertThat(asked.of("ours.test").block(Duration.ofSeconds(10))).containsExactly("us.mx.test", "two.mx.test");
		ScriptedSmtpServer second = server("127.0.0.3");
		this.first.close();
		assertThatThrownBy(() -> hand("backup.test")).as("it waits for the one that is preferred to us")
			.isInstanceOf(NotOpened.class);
		assertThat(second.sessions()).isZero();
	}

	@Test
	void aDomainWithoutAServerOfItsOwnIsItsOwnServer() {
		this.dns.publish("A", "bare.test", "127.0.0.2");
		assertThat(hand("bare.test").attempt().host()).isEqualTo("bare.test");
		this.dns.publish("AAAA", "six.test", "::1");
		assertThatThrownBy(() -> hand("six.test")).as("asked for, though nobody listens there")
			.isInstanceOf(NotOpened.class);
	}

	@Test
	void anAddressOfOneVersionIsEnoughWhereTheNameServersFailAtTheOther() {
		this.dns.fail("AAAA", "one.mx.test");
		assertThat(hand("b.test").attempt().host()).isEqualTo("one.mx.test");
		this.dns.publish("AAAA", "six.mx.test", "::1");
		this.dns.fail("A", "six.mx.test");
		assertThat(servers().addresses("six.mx.test").block(Duration.ofSeconds(10))).singleElement()
			.isEqualTo(InetAddress.ofLiteral("::1"));
		this.dns.fail("broken.test");
		assertThatThrownBy(() -> servers().addresses("broken.test").block(Duration.ofSeconds(10)))
			.hasMessageContaining("name servers");
	}

	@Test
	void whatDnsSaysIsForNobodyBouncesAndWhatItDoesNotSayWaits() {
		this.dns.publish("MX", "null.test", "0 .");
		assertThat(hand("null.test").outcome())
			.isEqualTo(new Outcome.Bounced(true, "556 5.1.10 The domain takes no mail: null.test"));
		HandOverResult gone = hand("gone.test");
		assertThat(gone.outcome()).isEqualTo(new Outcome.Bounced(true, "550 5.1.2 There is no such domain: gone.test"));
		assertThat(gone.attempt().conversation()).contains("There is no such domain");
		this.dns.publish("TXT", "text.test", "neither mail server nor address");
		assertThat(hand("text.test").outcome()).isInstanceOf(Outcome.Bounced.class);
		this.dns.fail("broken.test");
		assertThatThrownBy(() -> hand("broken.test")).isInstanceOfSatisfying(NotOpened.class, (ex) -> {
			assertThat(ex.outcome().counts()).isTrue();
			assertThat(ex).hasMessageContaining("name servers");
		});
		this.dns.publish("MX", "self.test", "self.test");
		this.dns.fail("A", "self.test");
		this.dns.fail("AAAA", "self.test");
		assertThatThrownBy(() -> hand("self.test")).as("known by its MX, and its address not now")
			.isInstanceOf(NotOpened.class);
		this.dns.publish("MX", "lost.test", "nowhere.test");
		assertThatThrownBy(() -> hand("lost.test")).isInstanceOf(NotOpened.class);
	}

	@Test
	void tlsIsTakenWhereItIsOfferedAndDoneWithoutWhereItDoesNotComeAbout() throws Exception {
		this.first.withTls(TestCertificate.of("elsewhere.test", this.directory).context()).offering("STARTTLS");
		assertThat(hand("b.test").attempt().tls()).startsWith("TLSv1.");
		this.first.answer("STARTTLS", "220 2.0.0 Go on" + ScriptedSmtpServer.HANG_UP);
		this.dns.publish("MX", "plain.test", "one.mx.test");
		Attempt attempt = hand("plain.test").attempt();
		assertThat(attempt.tls()).isEmpty();
		assertThat(attempt.conversation()).contains("C: STARTTLS", "C: MAIL");
		assertThatThrownBy(() -> hand(route("plain.test", true))).isInstanceOf(NotOpened.class);
	}

	@Test
	void mailThatNeedsTlsGoesOnlyToAServerWhoseCertificateHolds() throws Exception {
		TestCertificate certificate = TestCertificate.of("one.mx.test", this.directory);
		assertThatThrownBy(() -> hand(route("b.test", true))).isInstanceOf(NotOpened.class);
		this.first.withTls(certificate.context()).offering("STARTTLS");
		assertThatThrownBy(() -> hand(route("b.test", true))).isInstanceOf(NotOpened.class);
		this.mx.destroy();
		this.mx = mx(TlsMode.REQUIRED, certificate.pem(), true);
		assertThat(hand("b.test").attempt().tls()).startsWith("TLSv1.");
		this.first.offering("PIPELINING");
		this.dns.publish("MX", "clear.test", "one.mx.test");
		assertThatThrownBy(() -> hand("clear.test")).isInstanceOf(NotOpened.class);
	}

	@Test
	void aDestinationThatCannotBeReachedIsLeftAloneAndOneThatKnowsNobodyIsNot() {
		this.first.answer("RCPT", "550 5.1.1 nobody");
		for (int i = 0; i < 20; i++) {
			assertThat(hand("b.test").outcome()).isInstanceOf(Outcome.Bounced.class);
		}
		this.dns.publish("A", "dead.test", "127.0.0.4");
		for (int i = 0; i < 5; i++) {
			assertThatThrownBy(() -> hand("dead.test")).isInstanceOfSatisfying(NotOpened.class,
					(ex) -> assertThat(ex.outcome().counts()).isTrue());
		}
		assertThatThrownBy(() -> hand("dead.test")).isInstanceOfSatisfying(NotOpened.class, (ex) -> {
			assertThat(ex.outcome().counts()).as("an open breaker costs no attempt").isFalse();
			assertThat(ex.attempt()).isNull();
		});
		assertThat(hand("b.test").outcome()).as("others go on").isInstanceOf(Outcome.Bounced.class);
	}

	@Test
	void aDestinationThatAsksForPatienceGetsIt() {
		this.first.answer("RCPT", "451 4.7.1 greylisted");
		for (int i = 0; i < 10; i++) {
			try {
				hand("b.test");
			}
			catch (NotOpened ex) {
				assertThat(ex.outcome().counts()).isFalse();
			}
		}
		assertThat(this.first.commands().stream().filter((line) -> line.startsWith("RCPT"))).hasSizeBetween(4, 9);
	}

	@ParameterizedTest
	@ValueSource(strings = { "BODY", "MAIL" })
	void aDestinationThatBreaksOffIsLeftAlone(String where) {
		this.first.answer(where, ScriptedSmtpServer.DROP);
		for (int i = 0; i < 12; i++) {
			try {
				hand("b.test");
			}
			catch (AnswerLost | NotOpened _) {
				// Either nobody knows, or nobody asked.
			}
		}
		assertThat(this.first.sessions()).isLessThan(12);
	}

	@Test
	void theRoomForADestinationGrowsWithWhatItTakesAndShrinksWhenItAsksForPatience() {
		Route route = route("b.test", false);
		assertThat(this.mx.room(route)).isEqualTo(2);
		hand("b.test");
		assertThat(this.mx.room(route)).isEqualTo(3);
		for (int i = 0; i < 30; i++) {
			hand("b.test");
		}
		assertThat(this.mx.room(route)).isEqualTo(20);
		assertThat(this.first.sessions()).as("kept and used again").isEqualTo(1);
		this.first.answer("RCPT", "421 4.7.0 slow down");
		hand("b.test");
		assertThat(this.mx.room(route)).isEqualTo(10);
		assertThat(this.mx.room(route("other.test", false))).isEqualTo(2);
	}

	@Test
	void anAccountSendsNoFasterToADestinationThanItsRate() {
		Route route = route("b.test", false);
		assertThat(Flux.range(0, 1000).filter((_) -> this.mx.admits(route)).count().block()).isBetween(50L, 150L);
		assertThat(this.mx.admits(route("c.test", false))).isTrue();
	}

	@Test
	void serversAtAddressesThatAreNotPublicAreNotSpokenTo() {
		this.mx.destroy();
		this.mx = mx(TlsMode.STARTTLS, null, false);
		assertThatThrownBy(() -> hand("b.test")).isInstanceOf(NotOpened.class);
		assertThat(this.first.sessions()).isZero();
	}

	private ScriptedSmtpServer server(String address) {
		return this.servers.computeIfAbsent(address,
				(_) -> new ScriptedSmtpServer(InetAddress.ofLiteral(address), this.first.port()));
	}

	private HandOverResult hand(String domain) {
		return hand(route(domain, false));
	}

	private HandOverResult hand(Route route) {
		return this.mx.with(route, (session) -> session.hand(new Envelope("b@a.test", "c@" + route.domain()), MESSAGE))
			.block(Duration.ofSeconds(30));
	}

	private static Route route(String domain, boolean requiresTls) {
		return new Route(new UUID(0, 0), domain, TransportKind.MX, requiresTls);
	}

	private DirectMx mx(TlsMode tls, Path caFile, boolean privateAddresses) {
		return new DirectMx(new MxSettings(this.first.port(), "helo.test", tls, caFile, privateAddresses, 20, 50,
				Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(12), Duration.ofSeconds(5),
				Duration.ofSeconds(5)), servers(), Clock.systemUTC());
	}

	private MailServers servers() {
		String[] address = this.dns.address().split(":");
		SimpleResolver resolver = new SimpleResolver(new InetSocketAddress(address[0], Integer.parseInt(address[1])));
		resolver.setTimeout(Duration.ofSeconds(2));
		return new MailServers(resolver, Set.of("us.mx.test"));
	}

}
