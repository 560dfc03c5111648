package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.domain.NameServers;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.mail.queue.TransportKind;
import dev.mailroom.source.SendingPools;
import dev.mailroom.trackingdomain.InboundCertificate;
import dev.mailroom.trackingdomain.InboundCertificates;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import dev.mailroom.worker.smtp.server.ListeningServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Direct delivery to domains whose MX is this platform's own listener. */
@Surroundings.WorkerAlone
class OwnServerTest {

	private static final String MESSAGE = "From: a@sender.test\r\nSubject: x\r\n\r\nhi\r\n";

	@Autowired
	@Qualifier("inboundListener")
	ListeningServer inbound;

	@Autowired
	MailServers servers;

	@Autowired
	NameServers names;

	@Autowired
	InboundCertificates certificates;

	private final UUID account = Given.account("free");

	private final String domain = Given.domain(this.account) + ".test";

	private DirectMx mx;

	@BeforeEach
	void connect() {
		Surroundings.DNS.publish("A", "mx.mailroom.localhost", "127.0.0.1");
		MxSettings settings = new MxSettings(this.inbound.port(), "mx.mailroom.localhost", TlsMode.STARTTLS, null, true,
				true, 2, 50, Duration.ofSeconds(30), false, 443, Duration.ofSeconds(5), Duration.ofSeconds(15),
				Duration.ofSeconds(30), Duration.ofSeconds(30));
		MtaSts policies = new MtaSts(settings, this.servers, (_) -> Optional.empty(), (_, _) -> {
		}, (_, _) -> {
		}, new SimpleMeterRegistry(), Clock.systemUTC());
		this.mx = new DirectMx(settings, this.servers, policies, TestMailServers.NO_DANE,
				new TlsSessions(false, true, (_) -> {
				}, Clock.systemUTC()), new SitePaces(settings, Clock.systemUTC(), new SimpleMeterRegistry()),
				new LocalSources(() -> SendingPools.NONE, (_, _) -> true, Clock.systemUTC(), new SimpleMeterRegistry()),
				Clock.systemUTC());
	}

	@AfterEach
	void disconnect() {
		this.mx.destroy();
	}

	@Test
	void mailToADomainOfThePlatformIsStoredOnceAndNotRelayed() {
		Surroundings.DNS.publish("MX", this.domain, "10 mx.mailroom.localhost", "20 elsewhere.test");
		assertThat(hand(this.domain, MESSAGE)).isInstanceOf(Outcome.Delivered.class);
		assertThat(stored("convert_from(raw, 'UTF8')")).containsExactly(MESSAGE);
		assertThat(Given.rows("select id from delivery where account_id = '%s'", this.account)).isEmpty();
	}

	@Test
	void mailToAnUnknownDomainIsRefusedAndNotRelayed() {
		Surroundings.DNS.publish("MX", "unknown.own.test", "10 mx.mailroom.localhost");
		assertThat(hand("unknown.own.test", MESSAGE)).isInstanceOfSatisfying(Outcome.Bounced.class, (bounced) -> {
			assertThat(bounced.type()).isEqualTo(Bounce.Type.HARD);
			assertThat(bounced.reply()).startsWith("550 5.1.1 ");
		});
	}

	@Test
	void moreThanAHundredReceivedFieldsAreRefusedAsALoop() {
		Surroundings.DNS.publish("MX", this.domain, "10 mx.mailroom.localhost");
		String received = "Received: from a.test by b.test;\r\n Sat, 21 Nov 2026 12:00:00 +0000\r\n";
		assertThat(hand(this.domain, received.repeat(101) + MESSAGE)).isInstanceOfSatisfying(Outcome.Bounced.class,
				(bounced) -> assertThat(bounced.reply()).startsWith("554 5.4.6 "));
		assertThat(stored("id")).isEmpty();
		assertThat(hand(this.domain, received.repeat(100) + MESSAGE + "Received: in the body\r\n"))
			.isInstanceOf(Outcome.Delivered.class);
		assertThat(stored("id")).hasSize(1);
	}

	@Test
	void theCertificateOfReceivedMailIsCheckedAsASenderDoes() throws Exception {
		TestCertificate certificate = TestCertificate.of("mx.mailroom.localhost");
		InetAddress address = InetAddress.ofLiteral("127.0.0.51");
		Surroundings.DNS.publish("A", "mx.mailroom.localhost", address.getHostAddress());
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(address, 0)) {
			server.withTls(certificate.context()).offering("STARTTLS");
			InboundCertificate valid = checked(server, certificate.pem());
			assertThat(valid.valid()).isTrue();
			assertThat(valid.tlsa()).matches("3 1 1 [0-9a-f]{64}");
			InboundCertificate unknown = checked(server, null);
			assertThat(unknown.valid()).isFalse();
			assertThat(unknown.detail()).contains("TLS failed");
			assertThat(unknown.tlsa()).isEqualTo(valid.tlsa());
			server.offering("PIPELINING");
			assertThat(checked(server, null).tlsa()).isEmpty();
		}
	}

	private InboundCertificate checked(ScriptedSmtpServer server, @Nullable Path authorities) {
		MxSettings settings = new MxSettings(server.port(), "mx.mailroom.localhost", TlsMode.STARTTLS, authorities,
				true, true, 2, 50, Duration.ofSeconds(30), false, 443, Duration.ofSeconds(5), Duration.ofSeconds(15),
				Duration.ofSeconds(30), Duration.ofSeconds(30));
		MailServers lookups = new MailServers(this.names.resolver(), Set.of());
		assertThat(new InboundProbe(settings, lookups, this.certificates, Clock.systemUTC()).run()).isOne();
		return Await.await(this.certificates.find());
	}

	private List<String> stored(String expression) {
		return Given.rows("select %s from inbound_email join inbound_content on inbound_email_id = id "
				+ "where inbound_email.account_id = '%s'", expression, this.account);
	}

	private Outcome hand(String domain, String message) {
		byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
		return Await.await(this.mx
			.with(new Route(new UUID(0, 0), domain, TransportKind.MX, false),
					(session) -> session.hand(new Envelope("b@a.test", "c@" + domain), bytes))
			.map(HandOverResult::outcome));
	}

}
