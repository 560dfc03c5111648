package dev.mailroom.worker.smtp.client;

import java.nio.file.Path;
import java.util.stream.IntStream;

import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static dev.mailroom.worker.smtp.client.TestMailServers.hand;
import static dev.mailroom.worker.smtp.client.TestMailServers.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Execution(ExecutionMode.CONCURRENT)
class DirectMxTest {

	@TempDir
	Path directory;

	private final TestMailServers servers = new TestMailServers();

	private final ScriptedSmtpServer first = this.servers.first();

	private final DirectMx mx = this.servers.transport();

	@AfterEach
	void close() throws Exception {
		this.servers.close();
	}

	@Test
	void thePreferredServerGetsTheMailAndItsReplyMeansDelivered() {
		ScriptedSmtpServer second = this.servers.startSecond();
		HandOverResult result = hand(this.mx, "b.test");
		assertThat(result.outcome()).isEqualTo(new Outcome.Delivered("250 2.0.0 Accepted"));
		Settlement.Attempt attempt = result.attempt();
		assertThat(attempt.transport() + " " + attempt.host() + " " + attempt.address())
			.isEqualTo("mx one.mx.test 127.0.0.2");
		assertThat(attempt.conversation()).contains("C: EHLO helo.test", "S: 354");
		assertThat(this.first.mails()).hasSize(1);
		assertThat(second.mails()).isEmpty();
	}

	@Test
	void theNextServerIsTriedIfOneRefusesTheSession() {
		this.servers.startSecond();
		this.first.answer("GREETING", "421 4.3.2 too busy");
		HandOverResult result = hand(this.mx, "b.test");
		assertThat(result.attempt().host()).isEqualTo("two.mx.test");
		assertThat(result.attempt().conversation()).contains("to one.mx.test [127.0.0.2]", "S: 421 4.3.2 too busy",
				"to two.mx.test [127.0.0.3]");
	}

	@Test
	void theNextServerIsTriedIfOneRefusesTheConnection() {
		ScriptedSmtpServer second = this.servers.startSecond();
		this.first.close();
		assertThat(hand(this.mx, "b.test").outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(second.mails()).hasSize(1);
	}

	@Test
	void aDomainWithManyUnreachableServersCostsALimitedNumberOfLookups() {
		String[] hosts = IntStream.range(0, 12).mapToObj((i) -> "down" + i + ".mx.test").toArray(String[]::new);
		this.servers.dns().publish("MX", "many.test", hosts);
		for (String host : hosts) {
			this.servers.dns().publish("A", host, "127.0.0.9");
		}
		assertThatThrownBy(() -> hand(this.mx, "many.test")).isInstanceOf(NotOpened.class);
		assertThat(this.servers.dns().queries()).as("MX, and A and AAAA of five hosts").isLessThanOrEqualTo(11);
		int before = this.servers.dns().queries();
		assertThat(hand(this.mx, "b.test").outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(hand(this.mx, "b.test").outcome()).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.servers.dns().queries() - before).as("two mails over one session").isEqualTo(3);
	}

	@Test
	void mailWaitsForAServerPreferredToThePlatform() {
		this.servers.dns().publish("MX", "backup.test", "30 two.mx.test", "20 us.mx.test", "10 one.mx.test");
		ScriptedSmtpServer second = this.servers.startSecond();
		this.first.close();
		assertThatThrownBy(() -> hand(this.mx, "backup.test")).isInstanceOf(NotOpened.class);
		assertThat(second.sessions()).isZero();
	}

	@Test
	void aDomainWithoutMxRecordIsItsOwnServer() {
		this.servers.dns().publish("A", "bare.test", "127.0.0.2");
		assertThat(hand(this.mx, "bare.test").attempt().host()).isEqualTo("bare.test");
	}

	@Test
	void anIpv6AddressIsContacted() {
		this.servers.dns().publish("AAAA", "six.test", "::1");
		assertThatThrownBy(() -> hand(this.mx, "six.test")).isInstanceOfSatisfying(NotOpened.class,
				(ex) -> assertThat(ex.attempt().conversation()).contains("to six.test [0:0:0:0:0:0:0:1"));
	}

	@Test
	void aFailedLookupOfIpv6DoesNotPreventDelivery() {
		this.servers.dns().fail("AAAA", "one.mx.test");
		assertThat(hand(this.mx, "b.test").attempt().host()).isEqualTo("one.mx.test");
	}

	@Test
	void aNullMxBounces() {
		this.servers.dns().publish("MX", "null.test", "0 .");
		assertThat(hand(this.mx, "null.test").outcome()).isEqualTo(
				new Outcome.Bounced(Bounce.Reason.UNKNOWN_DOMAIN, "556 5.1.10 The domain accepts no mail: null.test"));
	}

	@Test
	void aDomainThatDoesNotExistBounces() {
		HandOverResult result = hand(this.mx, "gone.test");
		assertThat(result.outcome()).isEqualTo(
				new Outcome.Bounced(Bounce.Reason.UNKNOWN_DOMAIN, "550 5.1.2 The domain does not exist: gone.test"));
		assertThat(result.attempt().conversation()).contains("The domain does not exist");
	}

	@Test
	void aDomainWithoutServerAndAddressBounces() {
		this.servers.dns().publish("TXT", "text.test", "neither mail server nor address");
		assertThat(hand(this.mx, "text.test").outcome()).isInstanceOf(Outcome.Bounced.class);
	}

	@Test
	void mailWaitsIfDnsFails() {
		this.servers.dns().fail("broken.test");
		assertThatThrownBy(() -> hand(this.mx, "broken.test")).isInstanceOfSatisfying(NotOpened.class, (ex) -> {
			assertThat(ex.outcome().counts()).isTrue();
			assertThat(ex).hasMessageContaining("name servers");
		});
	}

	@Test
	void mailWaitsIfOnlyTheAddressLookupFails() {
		this.servers.dns().publish("MX", "self.test", "self.test");
		this.servers.dns().fail("A", "self.test");
		this.servers.dns().fail("AAAA", "self.test");
		assertThatThrownBy(() -> hand(this.mx, "self.test")).isInstanceOf(NotOpened.class);
	}

	@Test
	void mailWaitsIfTheServerOfTheMxRecordDoesNotExist() {
		this.servers.dns().publish("MX", "lost.test", "nowhere.test");
		assertThatThrownBy(() -> hand(this.mx, "lost.test")).isInstanceOf(NotOpened.class);
	}

	@Test
	void optionalTlsIsUsedIfOffered() throws Exception {
		offerTls("elsewhere.test");
		assertThat(hand(this.mx, "b.test").attempt().tls()).startsWith("TLSv1.");
	}

	@Test
	void mailIsSentWithoutOptionalTlsIfItFails() throws Exception {
		offerTls("elsewhere.test");
		this.first.answer("STARTTLS", "220 2.0.0 Go on" + ScriptedSmtpServer.HANG_UP);
		Settlement.Attempt attempt = hand(this.mx, "b.test").attempt();
		assertThat(attempt.tls()).isEmpty();
		assertThat(attempt.conversation()).contains("C: STARTTLS", "C: MAIL");
		assertThatThrownBy(() -> hand(this.mx, route("b.test", true))).isInstanceOf(NotOpened.class);
	}

	@Test
	void mailThatRequiresTlsWaitsIfTheServerHasNoneOrAnInvalidCertificate() throws Exception {
		assertThatThrownBy(() -> hand(this.mx, route("b.test", true))).isInstanceOf(NotOpened.class);
		offerTls("one.mx.test");
		assertThatThrownBy(() -> hand(this.mx, route("b.test", true))).isInstanceOf(NotOpened.class);
	}

	@Test
	void requiredTlsAcceptsOnlyATrustedCertificate() throws Exception {
		DirectMx strict = this.servers.transport(TlsMode.REQUIRED, offerTls("one.mx.test").pem(), true);
		assertThat(hand(strict, "b.test").attempt().tls()).startsWith("TLSv1.");
		this.first.offering("PIPELINING");
		this.servers.dns().publish("MX", "clear.test", "one.mx.test");
		assertThatThrownBy(() -> hand(strict, "clear.test")).isInstanceOf(NotOpened.class);
	}

	@Test
	void serversAtPrivateAddressesAreNotContacted() {
		DirectMx publicOnly = this.servers.transport(TlsMode.STARTTLS, null, false);
		assertThatThrownBy(() -> hand(publicOnly, "b.test")).isInstanceOf(NotOpened.class);
		assertThat(this.first.sessions()).isZero();
	}

	private TestCertificate offerTls(String host) throws Exception {
		TestCertificate certificate = TestCertificate.of(host, this.directory);
		this.first.withTls(certificate.context()).offering("STARTTLS");
		return certificate;
	}

}
