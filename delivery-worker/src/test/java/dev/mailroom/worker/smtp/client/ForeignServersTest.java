package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mailroom.Await;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.tlspolicy.StsPolicy;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.client.DnssecSettings.Mode;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.mailroom.worker.smtp.client.TestMailServers.hand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * DANE and MTA-STS with name servers, a resolver and mail servers of others, and Postfix
 * as a model of the decisions.
 */
@Tag("nightly")
@EnabledIf(value = "dev.mailroom.worker.smtp.client.ForeignServers#areInstalled",
		disabledReason = "nsd, unbound, ldnsutils and postfix are not installed, or the user is not root")
class ForeignServersTest {

	private static final String ZERO = "00".repeat(32);

	@TempDir
	private static Path directory;

	private static ForeignServers servers;

	private static HttpsServer web;

	private static Path authorities;

	private final Map<String, String> seen = new ConcurrentHashMap<>();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final TestMailServers tools = new TestMailServers();

	@BeforeAll
	static void start() throws Exception {
		TestCertificate authority = TestCertificate.of("authority.test", folder("authority"));
		TestCertificate valid = authority.issue("mx1.good.test", folder("valid"), "-validity", "2", "-ext",
				"san=dns:mx1.good.test,dns:issued.good.test,dns:implicit.good.test");
		TestCertificate wrong = authority.issue("other.test", folder("wrong"), "-startdate", "-9d", "-validity", "2");
		TestCertificate misnamed = authority.issue("other.test", folder("misnamed"), "-validity", "2");
		TestCertificate policies = authority.issue("policies.test", folder("policies"), "-validity", "2", "-ext",
				"san=dns:mta-sts.right.plain.test,dns:mta-sts.name.plain.test,dns:mta-sts.old.plain.test,"
						+ "dns:mta-sts.clear.plain.test,dns:mta-sts.host.plain.test,dns:mta-sts.testing.plain.test");
		authorities = authority.pem();
		servers = new ForeignServers(folder("servers"));
		servers.serve("127.53.2.1", valid, authority);
		servers.serve("127.53.2.2", wrong, authority);
		servers.serve("127.53.2.3");
		servers.serve("127.53.2.4", misnamed, authority);
		publish(authority, valid, wrong);
		servers.startNameServer();
		servers.startResolver("validator iterator");
		servers.startMailServers();
		startPolicies(policies);
	}

	private static Path folder(String name) throws Exception {
		return Files.createDirectory(directory.resolve(name));
	}

	/** Publishes the zones: their records are never changed afterwards. */
	private static void publish(TestCertificate authority, TestCertificate valid, TestCertificate wrong)
			throws Exception {
		String good = "good.test.";
		host(good, "mx1", "127.53.2.1", DaneTest.record(3, 1, 1, valid));
		host(good, "issued", "127.53.2.1", DaneTest.record(2, 0, 1, authority));
		host(good, "another", "127.53.2.1", DaneTest.record(3, 1, 1, wrong));
		host(good, "expired", "127.53.2.2", DaneTest.record(3, 1, 1, wrong));
		host(good, "clear", "127.53.2.3", DaneTest.record(3, 1, 1, valid));
		host(good, "misnamed", "127.53.2.4", DaneTest.record(2, 0, 1, authority));
		host(good, "public", "127.53.2.1", DaneTest.record(1, 1, 1, wrong));
		host(good, "none", "127.53.2.1");
		host(good, "silent", "127.53.2.1");
		host(good, "shared", "127.53.2.1");
		servers.publish(good, "_tcp.silent.good.test. NS silent.test.", "_tcp.silent.good.test. DS 12345 13 2 " + ZERO,
				"_%d._tcp.shared.good.test. CNAME dane.good.test.".formatted(servers.port()),
				"dane.good.test. TLSA " + DaneTest.record(3, 1, 1, valid), "alias.good.test. CNAME mx1.good.test.",
				"at-alias.good.test. MX 10 alias.good.test.", "implicit.good.test. A 127.53.2.1",
				tlsa("implicit.good.test.", DaneTest.record(2, 0, 1, authority)),
				"at-plain.good.test. MX 10 mx.plain.test.", "*.wild.good.test. MX 10 mx1.good.test.",
				"*.open.good.test. MX 10 none.good.test.");
		servers.sign(good, "ED25519", "-n", "-t", "1", "-s", "c0ffee");
		for (String zone : List.of("expired.test.", "forged.test.")) {
			host(zone, "mx", "127.53.2.1", DaneTest.record(3, 1, 1, valid));
			servers.publish(zone, zone + " MX 10 mx." + zone);
		}
		servers.sign("expired.test.", "ECDSAP256SHA256", "-i", "20250101", "-e", "20250201");
		servers.sign("forged.test.", "ECDSAP256SHA256");
		servers.forge("forged.test.", "127.53.2.1", "127.53.2.4");
		host("bare.test.", "mx", "127.53.2.1");
		servers.publish("bare.test.", "bare.test. MX 10 mx.bare.test.");
		servers.leaveUnsigned("bare.test.", "bare.test. DS 12345 13 2 " + ZERO);
		host("plain.test.", "mx", "127.53.2.1", DaneTest.record(3, 1, 1, wrong));
		servers.publish("plain.test.", "plain.test. MX 10 mx.plain.test.");
		Map.of("right", "mx1.good", "testing", "misnamed.good", "name", "misnamed.good", "old", "expired.good", "clear",
				"clear.good", "host", "mx.plain")
			.forEach((name, host) -> servers.publish("plain.test.",
					"%s.plain.test. MX 10 %s.test.".formatted(name, host),
					"_mta-sts.%s.plain.test. TXT \"v=STSv1; id=20261128;\"".formatted(name),
					"mta-sts.%s.plain.test. A 127.53.1.80".formatted(name)));
		servers.leaveUnsigned("plain.test.");
		servers.sign("test.", "ECDSAP256SHA256", "-n", "-p", "-t", "0");
		servers.sign(".", "RSASHA256");
	}

	/** Publishes a mail server and, for a signed zone, a domain that is called as it. */
	private static void host(String zone, String name, String address, String... tlsa) {
		String host = name + "." + zone;
		servers.publish(zone, host + " A " + address, "at-%s MX 10 %1$s".formatted(host));
		for (String data : tlsa) {
			servers.publish(zone, tlsa(host, data));
		}
	}

	private static String tlsa(String host, String data) {
		return "_%d._tcp.%s TLSA %s".formatted(servers.port(), host, data);
	}

	private static void startPolicies(TestCertificate certificate) throws Exception {
		web = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.53.1.80"), 0), 0);
		web.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
		web.createContext("/.well-known/mta-sts.txt", (exchange) -> {
			boolean testing = exchange.getRequestHeaders().getFirst("Host").contains("testing");
			byte[] body = "version: STSv1\nmode: %s\nmx: *.good.test\nmax_age: 86400\n"
				.formatted(testing ? "testing" : "enforce")
				.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		web.start();
	}

	@AfterEach
	void close() throws Exception {
		this.tools.close();
	}

	@AfterAll
	static void stop() throws Exception {
		if (web != null) {
			web.stop(0);
		}
		if (servers != null) {
			servers.close();
		}
	}

	/** Domains and what is decided about them. */
	enum Row {

		AT_MX1(DaneTest.Result.VERIFIED), AT_ISSUED(DaneTest.Result.VERIFIED), AT_EXPIRED(DaneTest.Result.VERIFIED),
		AT_SHARED(DaneTest.Result.VERIFIED), AT_ALIAS(DaneTest.Result.VERIFIED), IMPLICIT(DaneTest.Result.VERIFIED),
		ANY_WILD(DaneTest.Result.VERIFIED), AT_PUBLIC(DaneTest.Result.ENCRYPTED), AT_NONE(DaneTest.Result.OPEN),
		ANY_OPEN(DaneTest.Result.OPEN), AT_PLAIN(DaneTest.Result.OPEN), PLAIN(DaneTest.Result.OPEN),
		AT_ANOTHER(DaneTest.Result.DEFERRED), AT_CLEAR(DaneTest.Result.DEFERRED), AT_MISNAMED(DaneTest.Result.DEFERRED),
		AT_SILENT(DaneTest.Result.DEFERRED), EXPIRED(DaneTest.Result.DEFERRED), FORGED(DaneTest.Result.DEFERRED),
		BARE(DaneTest.Result.DEFERRED);

		private final DaneTest.Result result;

		Row(DaneTest.Result result) {
			this.result = result;
		}

		/** Name of the domain, which says what its mail server is. */
		String domain() {
			String name = name().toLowerCase(Locale.ROOT);
			return switch (this) {
				case PLAIN, EXPIRED, FORGED, BARE -> name + ".test";
				case ANY_WILD, ANY_OPEN -> name.replace('_', '.') + ".good.test";
				default -> name.replace('_', '-') + ".good.test";
			};
		}

	}

	private Dane dane(Mode mode) throws Exception {
		return dane(mode, Duration.ofMinutes(1));
	}

	private Dane dane(Mode mode, Duration interval) throws Exception {
		DnssecSettings settings = new DnssecSettings(mode, false, List.of(servers.anchor()), "mx.forged.test", true,
				false);
		return new Dane(settings, servers.port(), new SecureDns(settings, servers::resolver), this.seen::containsKey,
				this.seen::put, this.registry, interval);
	}

	private DirectMx transport(Dane dane) {
		return this.tools.transport(servers.resolver(), servers.port(), authorities, web.getAddress().getPort(),
				new ConcurrentHashMap<String, StsPolicy>(), this.registry, dane);
	}

	private DaneTest.Result result(DirectMx mx, String domain) {
		try {
			HandOverResult handed = hand(mx, domain);
			assertThat(handed.outcome()).isInstanceOf(Outcome.Delivered.class);
			Await.until("Postfix has the mail", () -> servers.hasMail(domain));
			return DaneTest.result(handed);
		}
		catch (NotOpened ex) {
			assertThat(ex.outcome().reply()).startsWith("451 4.7.5 ");
			return DaneTest.Result.DEFERRED;
		}
	}

	@ParameterizedTest
	@EnumSource
	void theAnswersOfUnboundDecide(Row row) throws Exception {
		Dane dane = dane(Mode.RESOLVER);
		assertThat(Await.await(dane.test())).isTrue();
		assertThat(result(transport(dane), row.domain())).isEqualTo(row.result);
	}

	@ParameterizedTest
	@EnumSource
	void theOwnValidationOfTheZonesDecides(Row row) throws Exception {
		Dane dane = dane(Mode.VALIDATE);
		assertThat(Await.await(dane.test())).isTrue();
		assertThat(result(transport(dane), row.domain())).isEqualTo(row.result);
	}

	@ParameterizedTest
	@EnumSource
	void postfixDecidesInTheSameWay(Row row) throws Exception {
		String output = DaneTest.finger(directory, ForeignServers.RESOLVER, row.domain(), servers.port());
		assertThat(DaneTest.postfix(output)).as(output).contains(row.result);
	}

	@Test
	void aHostInAnUnsignedZoneIsNotAskedForRecordsThatItsServersRefuse() throws Exception {
		assertThat(result(transport(dane(Mode.RESOLVER)), Row.AT_PLAIN.domain())).isEqualTo(DaneTest.Result.OPEN);
		assertThat(servers.wasAsked("A", "mx.plain.test")).isTrue();
		assertThat(servers.wasAsked("TLSA", "_" + servers.port() + "._tcp.mx.plain.test")).isFalse();
		assertThat(result(transport(dane(Mode.RESOLVER)), Row.AT_MX1.domain())).isEqualTo(DaneTest.Result.VERIFIED);
		assertThat(servers.wasAsked("TLSA", "_" + servers.port() + "._tcp.mx1.good.test")).isTrue();
	}

	@Test
	void whileUnboundDoesNotValidateMailToKnownDomainsWaitsAndThenGoesOn() throws Exception {
		Dane dane = dane(Mode.RESOLVER, Duration.ofMillis(100));
		try {
			dane.start();
			assertThat(result(transport(dane), Row.AT_MX1.domain())).isEqualTo(DaneTest.Result.VERIFIED);
			servers.startResolver("iterator");
			Await.until("the worker knows that", () -> available() == 0);
			assertThatThrownBy(() -> hand(transport(dane), Row.AT_MX1.domain()))
				.hasMessageContaining("DNSSEC is not available");
			assertThat(result(transport(dane), Row.AT_NONE.domain())).isEqualTo(DaneTest.Result.OPEN);
		}
		finally {
			servers.startResolver("validator iterator");
		}
		try {
			Await.until("DNSSEC is available again", () -> available() == 1);
			assertThat(result(transport(dane), Row.AT_MX1.domain())).isEqualTo(DaneTest.Result.VERIFIED);
		}
		finally {
			dane.stop();
		}
	}

	private double available() {
		return this.registry.get("mailroom.dnssec.available").gauge().value();
	}

	@ParameterizedTest
	@CsvSource({ "right, true", "testing, true", "name, false", "old, false", "clear, false", "host, false" })
	void anMtaStsPolicyDecidesAboutPostfix(String name, boolean delivers) throws Exception {
		String domain = name + ".plain.test";
		DirectMx mx = transport(dane(Mode.RESOLVER));
		if (delivers) {
			HandOverResult handed = hand(mx, domain);
			assertThat(handed.attempt().tls()).startsWith("TLSv1.3");
			assertThat(handed.attempt().conversation()).contains("MTA-STS policy");
			Await.until("Postfix has the mail", () -> servers.hasMail(domain));
		}
		else {
			assertThatThrownBy(() -> hand(mx, domain)).hasMessageContaining("MTA-STS policy");
			assertThat(servers.hasMail(domain)).isFalse();
		}
	}

}
