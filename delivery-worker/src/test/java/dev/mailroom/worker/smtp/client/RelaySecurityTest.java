package dev.mailroom.worker.smtp.client;

import java.nio.file.Path;

import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** TLS and AUTH. */
@Execution(ExecutionMode.CONCURRENT)
class RelaySecurityTest {

	private static final String AUTH_PLAIN = "AUTH PLAIN AHVzZXIAc2VjcmV0";

	@TempDir
	Path directory;

	private final TestRelay test = new TestRelay();

	private final ScriptedSmtpServer server = this.test.server();

	@AfterEach
	void close() {
		this.test.close();
	}

	@Test
	void optionalTlsIsUsedForMailAndPasswordIfOffered() throws Exception {
		Path certificate = offerTls();
		assertThat(hand(TlsMode.STARTTLS, certificate, "user")).isEqualTo("delivered");
		assertThat(this.server.commands()).containsSubsequence("STARTTLS", "EHLO helo.test", AUTH_PLAIN);
	}

	@Test
	void thePasswordIsNotSentToAServerWhoseCertificateIsNotTrusted() throws Exception {
		offerTls();
		assertThatThrownBy(() -> hand(TlsMode.STARTTLS, null, "user")).isInstanceOf(NotOpened.class)
			.hasMessageContaining("MAILROOM_RELAY_CA_FILE");
		assertThat(this.server.commands()).noneMatch((line) -> line.startsWith("AUTH"));
		assertThat(hand(TlsMode.STARTTLS, null, null)).as("without a password").isEqualTo("delivered");
	}

	@Test
	void requiredTlsNeedsATrustedCertificate() throws Exception {
		Path certificate = offerTls();
		assertThat(hand(TlsMode.REQUIRED, certificate, null)).isEqualTo("delivered");
		assertThatThrownBy(() -> hand(TlsMode.REQUIRED, null, null)).isInstanceOf(NotOpened.class);
	}

	@Test
	void requiredTlsSendsNothingWithoutIt() throws Exception {
		Path certificate = offerTls();
		this.server.offering("PIPELINING");
		assertThatThrownBy(() -> hand(TlsMode.REQUIRED, certificate, null)).isInstanceOf(NotOpened.class)
			.hasMessageContaining("STARTTLS");
		assertThat(this.server.commands()).containsOnly("EHLO helo.test", "QUIT");
	}

	@Test
	void repliesInjectedBeforeTlsAreNotUsed() throws Exception {
		Path certificate = offerTls();
		this.server.answer("STARTTLS", "220 2.0.0 Go on\r\n250-injected\r\n250 AUTH PLAIN");
		assertThatThrownBy(() -> hand(TlsMode.REQUIRED, certificate, "user")).isInstanceOf(NotOpened.class);
		assertThat(this.server.commands()).noneMatch((line) -> line.startsWith("AUTH"));
	}

	@Test
	void plainIsPreferredForAuth() {
		this.server.offering("PIPELINING", "AUTH PLAIN LOGIN");
		assertThat(hand(TlsMode.NONE, null, "user")).isEqualTo("delivered");
		assertThat(this.server.commands()).contains(AUTH_PLAIN);
	}

	@Test
	void loginIsUsedForAuthIfPlainIsNotOffered() {
		this.server.offering("AUTH LOGIN").answer("c2VjcmV0", "235 2.7.0 Ok");
		assertThat(hand(TlsMode.NONE, null, "user")).isEqualTo("delivered");
		assertThat(this.server.commands()).containsSubsequence("AUTH LOGIN", "dXNlcg==", "c2VjcmV0");
	}

	@Test
	void thePasswordIsNotSentWithoutTlsUnlessTlsIsTurnedOff() {
		this.server.offering("AUTH PLAIN");
		assertThatThrownBy(() -> hand(TlsMode.STARTTLS, null, "user")).isInstanceOf(NotOpened.class)
			.hasMessageContaining("no TLS");
		assertThat(this.server.commands()).noneMatch((line) -> line.startsWith("AUTH"));
	}

	private Path offerTls() throws Exception {
		TestCertificate certificate = TestCertificate.of("localhost", this.directory);
		this.server.withTls(certificate.context()).offering("PIPELINING", "STARTTLS", "AUTH PLAIN");
		return certificate.pem();
	}

	private String hand(TlsMode tls, @Nullable Path caFile, @Nullable String user) {
		return TestRelay.kind(TestRelay.hand(this.test.transport(tls, caFile, user), "b@c.test"));
	}

}
