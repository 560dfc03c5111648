package dev.mailroom.worker.smtp.client;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.WrongSetting;
import dev.mailroom.domain.TestDns;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.tlspolicy.StsPolicy;
import dev.mailroom.worker.Programs;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.client.DnssecSettings.Mode;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.dnssec.ValidatingResolver;

import static dev.mailroom.worker.smtp.client.TestMailServers.hand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** DANE with signed zones and mail servers on loopback. */
class DaneTest {

	private static final String DOMAIN = "b.test";

	private static final String HOST = "one.mx.test";

	@TempDir
	private static Path directory;

	private static TestCertificate authority;

	private static TestCertificate valid;

	/** Expired, and for another name. */
	private static TestCertificate wrong;

	private static TestCertificate ofDomain;

	private static TestCertificate misnamed;

	private static TestCertificate expired;

	private final TestMailServers servers = new TestMailServers();

	private final ScriptedSmtpServer first = this.servers.first();

	private final TestDns dns = this.servers.dns();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final Map<String, String> seen = new ConcurrentHashMap<>();

	private final Map<String, StsPolicy> policies = new ConcurrentHashMap<>();

	/** A resolver that validates. */
	private TestDns validating;

	private List<String> anchors;

	@BeforeAll
	static void createCertificates() throws Exception {
		authority = TestCertificate.of("authority.test", folder("authority"));
		valid = authority.issue(HOST, folder("valid"), "-validity", "2");
		wrong = authority.issue("other.test", folder("wrong"), "-startdate", "-9d", "-validity", "2");
		ofDomain = authority.issue(DOMAIN, folder("domain"), "-validity", "2");
		misnamed = authority.issue("other.test", folder("misnamed"), "-validity", "2");
		expired = authority.issue(HOST, folder("expired"), "-startdate", "-9d", "-validity", "2");
	}

	private static Path folder(String name) throws Exception {
		return Files.createDirectory(directory.resolve(name));
	}

	@BeforeEach
	void start() throws Exception {
		this.dns.zones().sign(DOMAIN).sign("mx.test").leaveUnsigned("unsigned.test");
		this.dns.publish("MX", DOMAIN, "10 " + HOST);
		offer(valid);
		this.anchors = List.of(this.dns.zones().anchor());
		this.validating = new TestDns(SecureDns.validating(TestMailServers.resolver(this.dns), settings(Mode.VALIDATE)),
				InetAddress.getLoopbackAddress(), 0);
	}

	@AfterEach
	void stop() throws Exception {
		this.validating.close();
		this.servers.close();
	}

	private DnssecSettings settings(Mode mode) {
		return new DnssecSettings(mode, false, this.anchors, "", true, false);
	}

	private Dane dane(DnssecSettings settings) {
		TestDns asked = (settings.mode() == Mode.RESOLVER) ? this.validating : this.dns;
		return new Dane(settings, this.first.port(), new SecureDns(settings, () -> TestMailServers.resolver(asked)),
				this.seen::containsKey, this.seen::put, this.registry, Duration.ofMillis(100));
	}

	private DirectMx transport(Dane dane) {
		return this.servers.transport(authority.pem(), 443, this.policies, this.registry, dane);
	}

	private double count(String result) {
		return this.registry.counter("mailroom.tls.policy", "policy", "dane", "result", result).count();
	}

	private void offer(TestCertificate certificate) throws Exception {
		this.first.withTls(certificate.context()).offering("STARTTLS");
	}

	private void publish(String host, String... records) {
		this.dns.publish("TLSA", "_" + this.first.port() + "._tcp." + host, records);
	}

	/** A record that matches a certificate. */
	static String record(int usage, int selector, int matching, TestCertificate certificate) throws Exception {
		byte[] data = (selector == 0) ? certificate.certificate().getEncoded()
				: certificate.certificate().getPublicKey().getEncoded();
		byte[] value = (matching == 0) ? data
				: MessageDigest.getInstance((matching == 1) ? "SHA-256" : "SHA-512").digest(data);
		return usage + " " + selector + " " + matching + " " + HexFormat.of().formatHex(value);
	}

	/** Results of a session. */
	enum Result {

		/** By TLS with a certificate that a record names. */
		VERIFIED,
		/** By TLS with any certificate. */
		ENCRYPTED,
		/** As without DANE. */
		OPEN,
		/** Nothing was sent. */
		DEFERRED

	}

	/** Setup of a row. */
	private interface Setup {

		void apply(DaneTest test) throws Exception;

	}

	/** Rows of the decision for a host. */
	enum Row {

		KEY(Result.VERIFIED, (test) -> test.publish(HOST, record(3, 1, 1, valid))),
		KEY_BY_SHA_512(Result.VERIFIED, (test) -> test.publish(HOST, record(3, 1, 2, valid))),
		WHOLE_KEY(Result.VERIFIED, (test) -> test.publish(HOST, record(3, 1, 0, valid))),
		CERTIFICATE(Result.VERIFIED, (test) -> test.publish(HOST, record(3, 0, 1, valid))),
		CERTIFICATE_BY_SHA_512(Result.VERIFIED, (test) -> test.publish(HOST, record(3, 0, 2, valid))),
		WHOLE_CERTIFICATE(Result.VERIFIED, (test) -> test.publish(HOST, record(3, 0, 0, valid))),
		EXPIRED_AND_MISNAMED_KEY(Result.VERIFIED, (test) -> {
			test.offer(wrong);
			test.publish(HOST, record(3, 1, 1, wrong));
		}), ONE_OF_TWO(Result.VERIFIED, (test) -> test.publish(HOST, record(3, 1, 1, wrong), record(3, 1, 1, valid))),
		ANOTHER_KEY(Result.DEFERRED, (test) -> test.publish(HOST, record(3, 1, 1, wrong))),
		NO_STARTTLS(Result.DEFERRED, (test) -> {
			test.publish(HOST, record(3, 1, 1, valid));
			test.first.offering("PIPELINING");
		}), AUTHORITY(Result.VERIFIED, (test) -> test.publish(HOST, record(2, 0, 1, authority))),
		KEY_OF_AUTHORITY(Result.VERIFIED, (test) -> test.publish(HOST, record(2, 1, 1, authority))),
		WHOLE_AUTHORITY(Result.VERIFIED, (test) -> test.publish(HOST, record(2, 0, 0, authority))),
		WHOLE_KEY_OF_AUTHORITY(Result.VERIFIED, (test) -> test.publish(HOST, record(2, 1, 0, authority))),
		AUTHORITY_AND_NAME_OF_DOMAIN(Result.VERIFIED, (test) -> {
			test.offer(ofDomain);
			test.publish(HOST, record(2, 0, 1, authority));
		}), AUTHORITY_AND_ANOTHER_NAME(Result.DEFERRED, (test) -> {
			test.offer(misnamed);
			test.publish(HOST, record(2, 0, 1, authority));
		}), AUTHORITY_AND_EXPIRED(Result.DEFERRED, (test) -> {
			test.offer(expired);
			test.publish(HOST, record(2, 0, 1, authority));
		}), AUTHORITY_NOT_IN_CHAIN(Result.DEFERRED, (test) -> test.publish(HOST, record(2, 0, 1, wrong))),
		OWN_CERTIFICATE_AS_AUTHORITY(Result.DEFERRED, (test) -> test.publish(HOST, record(2, 0, 1, valid))),
		ONLY_PUBLIC_AUTHORITIES(Result.ENCRYPTED,
				(test) -> test.publish(HOST, record(0, 1, 1, wrong), record(1, 1, 1, wrong))),
		ONLY_UNKNOWN_KINDS(Result.ENCRYPTED,
				(test) -> test.publish(HOST, "3 2 1 " + "00".repeat(32), "3 1 9 " + "00".repeat(32), "3 1 1 0000",
						"4 1 1 " + "00".repeat(32), "3 0 0 0000")),
		UNUSABLE_WITHOUT_STARTTLS(Result.DEFERRED, (test) -> {
			test.publish(HOST, record(1, 1, 1, valid));
			test.first.offering("PIPELINING");
		}),
		UNUSABLE_AND_ANOTHER_KEY(Result.DEFERRED,
				(test) -> test.publish(HOST, record(1, 1, 1, valid), record(3, 1, 1, wrong))),
		STRONGER_DIGEST_DECIDES(Result.DEFERRED,
				(test) -> test.publish(HOST, record(3, 1, 1, valid), record(3, 1, 2, wrong))),
		STRONGER_DIGEST_OF_ANOTHER_KIND(Result.VERIFIED,
				(test) -> test.publish(HOST, record(3, 1, 1, valid), record(3, 0, 2, wrong))),
		NO_RECORD(Result.OPEN, (_) -> {
		}), INSECURE_MX(Result.OPEN, (test) -> {
			test.publish(HOST, record(3, 1, 1, wrong));
			test.dns.zones().leaveUnsigned(DOMAIN);
		}), BOGUS_MX(Result.DEFERRED, (test) -> test.dns.zones().expire(DOMAIN)),
		FAILING_MX(Result.DEFERRED, (test) -> test.dns.fail("MX", DOMAIN)), INSECURE_ADDRESS(Result.OPEN, (test) -> {
			test.dns.publish("MX", DOMAIN, "10 mx.unsigned.test");
			test.dns.publish("A", "mx.unsigned.test", "127.0.0.2");
			test.dns.fail("TLSA", "_" + test.first.port() + "._tcp.mx.unsigned.test");
		}), BOGUS_ADDRESS(Result.DEFERRED, (test) -> test.dns.zones().expire(HOST)),
		FAILING_RECORD(Result.DEFERRED, (test) -> test.dns.fail("TLSA", "_" + test.first.port() + "._tcp." + HOST)),
		BOGUS_RECORD(Result.DEFERRED, (test) -> {
			test.publish(HOST, record(3, 1, 1, valid));
			test.dns.zones().expire("_" + test.first.port() + "._tcp." + HOST);
		}), INSECURE_RECORD(Result.OPEN, (test) -> {
			test.publish(HOST, record(3, 1, 1, wrong));
			test.dns.zones().leaveUnsigned("_tcp." + HOST);
		}), FAILING_AAAA(Result.VERIFIED, (test) -> {
			test.publish(HOST, record(3, 1, 1, valid));
			test.dns.fail("AAAA", HOST);
		}), NO_MX(Result.VERIFIED, (test) -> {
			test.dns.remove("MX", DOMAIN);
			test.dns.publish("A", DOMAIN, "127.0.0.2");
			test.publish(DOMAIN, record(3, 1, 1, valid));
		}), ALIAS(Result.VERIFIED, (test) -> {
			test.alias(HOST);
			test.publish(HOST, record(3, 1, 1, valid));
		}), RECORD_AT_ALIAS(Result.VERIFIED, (test) -> {
			test.alias(HOST);
			test.publish("alias.mx.test", record(3, 1, 1, valid));
		}), SECURE_ALIAS_OF_INSECURE_HOST(Result.VERIFIED, (test) -> {
			test.dns.publish("A", "mx.unsigned.test", "127.0.0.2");
			test.alias("mx.unsigned.test");
			test.publish("alias.mx.test", record(3, 1, 1, valid));
		}), INSECURE_ALIAS(Result.OPEN, (test) -> {
			test.dns.publish("MX", DOMAIN, "10 mx.unsigned.test");
			test.dns.publish("CNAME", "mx.unsigned.test", HOST);
			test.publish(HOST, record(3, 1, 1, wrong));
		}), MANY_RECORDS(Result.VERIFIED, (test) -> {
			String[] records = new String[60];
			Arrays.setAll(records, (i) -> "3 1 2 " + "%02x".formatted(i).repeat(64));
			records[59] = record(3, 1, 2, valid);
			test.publish(HOST, records);
		});

		private final Result result;

		private final Setup setup;

		Row(Result result, Setup setup) {
			this.result = result;
			this.setup = setup;
		}

	}

	private void alias(String target) {
		this.dns.publish("MX", DOMAIN, "10 alias.mx.test");
		this.dns.publish("CNAME", "alias.mx.test", target);
	}

	private Result result(DirectMx mx) {
		try {
			HandOverResult handed = hand(mx, DOMAIN);
			assertThat(handed.outcome()).isInstanceOf(Outcome.Delivered.class);
			return result(handed);
		}
		catch (NotOpened ex) {
			assertThat(ex.outcome().reply()).startsWith("451 4.7.5 ");
			assertThat(this.first.mails()).isEmpty();
			return Result.DEFERRED;
		}
	}

	/** The result of a session in which the mail was delivered. */
	static Result result(HandOverResult handed) {
		String conversation = handed.attempt().conversation();
		return conversation.contains("TLS policy dane verified") ? Result.VERIFIED
				: conversation.contains("TLS policy dane encrypted") ? Result.ENCRYPTED : Result.OPEN;
	}

	@ParameterizedTest
	@EnumSource
	void aResolverThatIsTrustedDecidesTheRow(Row row) throws Exception {
		row.setup.apply(this);
		assertThat(result(transport(dane(settings(Mode.RESOLVER))))).isEqualTo(row.result);
	}

	@ParameterizedTest
	@EnumSource
	void theOwnValidationDecidesTheRow(Row row) throws Exception {
		row.setup.apply(this);
		assertThat(result(transport(dane(settings(Mode.VALIDATE))))).isEqualTo(row.result);
	}

	/**
	 * Postfix is the model of the decisions. It reads its resolver from a file that only
	 * its process sees.
	 */
	@ParameterizedTest
	@EnumSource
	void postfixDecidesTheRowInTheSameWay(Row row) throws Exception {
		assumeTrue(Programs.areInstalled("/usr/sbin/posttls-finger"),
				"postfix is not installed, or the user is not root");
		row.setup.apply(this);
		try (TestDns resolver = new TestDns(
				SecureDns.validating(TestMailServers.resolver(this.dns), settings(Mode.VALIDATE)),
				InetAddress.ofLiteral("127.53.0.53"), 53)) {
			String output = finger(directory, "127.53.0.53", DOMAIN, this.first.port());
			assertThat(postfix(output)).as(output).contains(row.result);
		}
	}

	/** The output of Postfix's tool for a domain, by a resolver at port 53. */
	static String finger(Path directory, String resolver, String domain, int port) throws Exception {
		return new Programs(directory).runWithNameServer(resolver, "posttls-finger", "-c", "-t", "5", "-l", "dane",
				"-o", "inet_protocols=ipv4", domain + ":" + port);
	}

	/**
	 * Results that the output permits. The tool says whether a certificate is verified,
	 * and not whether Postfix would send mail without that.
	 */
	static Set<Result> postfix(String output) {
		if (output.contains("Verified TLS connection established")) {
			return Set.of(Result.VERIFIED);
		}
		return output.contains("TLS connection established") ? Set.of(Result.OPEN, Result.ENCRYPTED, Result.DEFERRED)
				: Set.of(Result.DEFERRED);
	}

	@Test
	void aHostWithoutProvedAddressIsNotAskedForRecords() throws Exception {
		Row.INSECURE_ADDRESS.setup.apply(this);
		assertThat(result(transport(dane(settings(Mode.VALIDATE))))).isEqualTo(Result.OPEN);
		assertThat(this.dns.wasAsked("A", "mx.unsigned.test")).isTrue();
		assertThat(this.dns.wasAsked("TLSA", "_" + this.first.port() + "._tcp.mx.unsigned.test")).isFalse();
	}

	@Test
	void withoutDnssecNothingIsAskedAndNothingIsMeasured() throws Exception {
		publish(HOST, record(3, 1, 1, wrong));
		assertThat(result(transport(TestMailServers.NO_DANE))).isEqualTo(Result.OPEN);
		assertThat(this.dns.wasAsked("TLSA", "_" + this.first.port() + "._tcp." + HOST)).isFalse();
		assertThat(this.registry.find("mailroom.dnssec.available").gauge()).isNull();
	}

	@Test
	void aServerThatCannotBeProvedIsPassedOverForTheNext() throws Exception {
		this.dns.publish("MX", DOMAIN, "10 " + HOST, "20 two.mx.test");
		this.dns.fail("TLSA", "_" + this.first.port() + "._tcp." + HOST);
		ScriptedSmtpServer second = this.servers.startSecond();
		assertThat(result(transport(dane(settings(Mode.VALIDATE))))).isEqualTo(Result.OPEN);
		assertThat(second.mails()).hasSize(1);
		assertThat(this.first.sessions()).isZero();
	}

	@Test
	void sessionsCountForReportsByTheBaseOfTheRecords() throws Exception {
		Map<Row, String> expected = Map.of(Row.KEY, "", Row.ANOTHER_KEY, "validation-failure " + HOST, Row.NO_STARTTLS,
				"starttls-not-supported " + HOST, Row.AUTHORITY_AND_ANOTHER_NAME, "certificate-host-mismatch " + HOST,
				Row.ONLY_PUBLIC_AUTHORITIES, "tlsa-invalid " + HOST, Row.FAILING_RECORD, "dnssec-invalid " + HOST);
		for (Map.Entry<Row, String> row : expected.entrySet()) {
			offer(valid);
			publish(HOST);
			row.getKey().setup.apply(this);
			DirectMx mx = transport(dane(settings(Mode.VALIDATE)));
			if (row.getKey().result == Result.DEFERRED) {
				assertThatThrownBy(() -> hand(mx, DOMAIN)).isInstanceOf(NotOpened.class);
			}
			else {
				hand(mx, DOMAIN);
			}
			assertThat(this.servers.counted()).as(row.getKey().name())
				.anySatisfy((group) -> assertThat(group + " ")
					.startsWith((DOMAIN + " tlsa " + HOST + " " + row.getValue() + " ").replace("  ", " ")));
		}
	}

	@Test
	void mailThatRequiresTlsIsSatisfiedByARecord() throws Exception {
		offer(wrong);
		publish(HOST, record(3, 1, 1, wrong));
		HandOverResult result = hand(transport(dane(settings(Mode.VALIDATE))), TestMailServers.route(DOMAIN, true));
		assertThat(result.attempt().conversation()).contains("TLS policy dane verified");
		assertThat(count("verified")).isOne();
		Await.until("the domain is stored", () -> "verified".equals(this.seen.get(DOMAIN)));
	}

	@Test
	void aFailureIsCountedAndTheDomainIsRemembered() throws Exception {
		publish(HOST, record(3, 1, 1, wrong));
		DirectMx mx = transport(dane(settings(Mode.VALIDATE)));
		assertThatThrownBy(() -> hand(mx, DOMAIN)).hasMessageContaining("matches no TLSA record of " + HOST)
			.isInstanceOfSatisfying(NotOpened.class,
					(error) -> assertThat(error.attempt().conversation()).contains("TLS policy dane refused"));
		assertThat(count("refused")).isOne();
		Await.until("the domain is stored", () -> "refused".equals(this.seen.get(DOMAIN)));
	}

	@Test
	void aDomainWithRecordsSharesNoSessionWithADomainOfTheSameServers() throws Exception {
		publish(HOST, record(3, 1, 1, valid));
		this.dns.publish("MX", "free.unsigned.test", "10 " + HOST);
		DirectMx mx = transport(dane(settings(Mode.VALIDATE)));
		assertThat(hand(mx, "free.unsigned.test").attempt().conversation()).doesNotContain("TLS policy");
		assertThat(result(mx)).isEqualTo(Result.VERIFIED);
		assertThat(this.first.sessions()).isEqualTo(2);
		assertThat(mx.destination(TestMailServers.route(DOMAIN, false)))
			.isNotEqualTo(mx.destination(TestMailServers.route("free.unsigned.test", false)));
		assertThat(hand(mx, DOMAIN).attempt().conversation()).as("the second mail of the session")
			.contains("mail 2 of this session")
			.contains("TLS policy dane verified");
	}

	@Test
	void whileDnssecIsNotAvailableOnlyMailToKnownDomainsWaits() throws Exception {
		publish(HOST, record(3, 1, 1, valid));
		this.dns.publish("MX", "free.test", "10 " + HOST);
		this.dns.zones().sign("free.test");
		Dane dane = dane(settings(Mode.RESOLVER));
		assertThat(result(transport(dane))).isEqualTo(Result.VERIFIED);
		assertThat(available()).isOne();
		Await.until("the domain is stored", () -> this.seen.containsKey(DOMAIN));
		this.dns.zones().strip();
		assertThat(Await.await(dane.test())).isFalse();
		assertThat(available()).isZero();
		assertThatThrownBy(() -> hand(transport(dane), DOMAIN)).isInstanceOfSatisfying(NotOpened.class, (error) -> {
			assertThat(error.counts()).isFalse();
			assertThat(error.outcome().reply()).startsWith("451 4.7.5 DNSSEC is not available");
		});
		assertThat(hand(transport(dane), "free.test").outcome()).isInstanceOf(Outcome.Delivered.class);
		Dane restarted = dane(settings(Mode.RESOLVER));
		assertThatThrownBy(() -> hand(transport(restarted), DOMAIN)).as("known from the database")
			.hasMessageContaining("DNSSEC is not available");
		DnssecSettings strict = new DnssecSettings(Mode.RESOLVER, false, List.of(), "", true, true);
		assertThatThrownBy(() -> hand(transport(dane(strict)), "free.test"))
			.hasMessageContaining("DNSSEC is not available");
	}

	/** The resolver ends, comes back, and is replaced by one that does not validate. */
	@Test
	void dnssecIsAvailableAgainByItselfOnceTheResolverValidatesAgain() throws Exception {
		publish(HOST, record(3, 1, 1, valid));
		this.dns.publish("MX", "free.test", "10 " + HOST);
		InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(),
				Integer.parseInt(this.validating.address().replaceFirst(".*:", "")));
		Dane dane = dane(settings(Mode.RESOLVER));
		try {
			dane.start();
			assertThat(result(transport(dane))).isEqualTo(Result.VERIFIED);
			Resolver again = SecureDns.validating(TestMailServers.resolver(this.dns), settings(Mode.VALIDATE));
			for (Resolver resolver : Arrays.asList(null, again, TestMailServers.resolver(this.dns), again)) {
				this.validating.close();
				if (resolver != null) {
					Await.until("the port is free", () -> isStarted(resolver, address));
				}
				boolean validates = resolver instanceof ValidatingResolver;
				Await.until("the worker knows the resolver", () -> available() == (validates ? 1 : 0));
				if (validates) {
					assertThat(result(transport(dane))).isEqualTo(Result.VERIFIED);
				}
				else {
					assertThatThrownBy(() -> hand(transport(dane), DOMAIN))
						.hasMessageContaining("DNSSEC is not available");
					assertThat(hand(transport(dane), "free.test").outcome()).isInstanceOf(Outcome.Delivered.class);
				}
			}
		}
		finally {
			dane.stop();
		}
	}

	private boolean isStarted(Resolver resolver, InetSocketAddress address) {
		try {
			this.validating = new TestDns(resolver, address.getAddress(), address.getPort());
			return true;
		}
		catch (UncheckedIOException _) {
			return false;
		}
	}

	private double available() {
		return this.registry.get("mailroom.dnssec.available").gauge().value();
	}

	@Test
	void aDomainWhoseRecordsSeemToEndIsTestedFirst() throws Exception {
		publish(HOST, record(3, 1, 1, valid));
		Dane dane = dane(settings(Mode.VALIDATE));
		assertThat(result(transport(dane))).isEqualTo(Result.VERIFIED);
		this.dns.remove("TLSA", "_" + this.first.port() + "._tcp." + HOST);
		Await.until("the records have ended", () -> {
			Await.await(dane.of(DOMAIN));
			return !dane.applies(DOMAIN);
		});
		assertThat(hand(transport(dane), DOMAIN).attempt().conversation()).doesNotContain("TLS policy");
	}

	@Test
	void aNameThatIsBogusMustHaveNoAnswer() throws Exception {
		this.dns.publish("A", "bogus.mx.test", "127.0.0.1");
		DnssecSettings settings = new DnssecSettings(Mode.VALIDATE, false, this.anchors, "bogus.mx.test", true, false);
		SecureDns dns = new SecureDns(settings, () -> TestMailServers.resolver(this.dns));
		assertThat(Await.await(dns.test())).isFalse();
		this.dns.zones().expire("bogus.mx.test");
		assertThat(Await.await(dns.test())).isTrue();
	}

	@Test
	void aResolverOfAnotherMachineIsTrustedOnlyByChoice() {
		DnssecSettings settings = settings(Mode.RESOLVER);
		assertThatThrownBy(() -> new SecureDns(settings, DaneTest::remote)).isInstanceOf(WrongSetting.class)
			.hasMessageContaining("MAILROOM_DNSSEC_REMOTE");
		DnssecSettings remote = new DnssecSettings(Mode.RESOLVER, true, List.of(), "", true, false);
		assertThat(new SecureDns(remote, DaneTest::remote).isOn()).isTrue();
		assertThatThrownBy(() -> new DnssecSettings(Mode.OFF, false, List.of(), "", true, false))
			.hasMessageContaining("MAILROOM_DANE is on");
	}

	private static ExtendedResolver remote() {
		return new ExtendedResolver(new Resolver[] { new SimpleResolver(new InetSocketAddress("192.0.2.53", 53)) });
	}

}
