package dev.mailroom.worker.transport;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

import dev.mailroom.outcome.Outcome;
import dev.mailroom.worker.ScriptedSmtpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.mailroom.worker.transport.SmtpRelayTest.ANYWHERE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RelayTlsTest {

	private static final byte[] MESSAGE = "Subject: x\r\n\r\nhi\r\n".getBytes(StandardCharsets.UTF_8);

	@TempDir
	Path directory;

	private final ScriptedSmtpServer server = new ScriptedSmtpServer();

	private Path certificate;

	@BeforeEach
	void offerTls() throws Exception {
		TestCertificate made = TestCertificate.of("localhost", this.directory);
		this.certificate = made.pem();
		this.server.withTls(made.context()).offering("PIPELINING", "STARTTLS", "AUTH PLAIN");
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void whereTlsIsOfferedTheMailAndThePasswordGoByIt() {
		assertThat(hand(TlsMode.STARTTLS, null, "user")).isInstanceOf(Outcome.Delivered.class);
		assertThat(this.server.commands()).containsSubsequence("STARTTLS", "EHLO helo.test",
				"AUTH PLAIN AHVzZXIAc2VjcmV0");
	}

	@Test
	void requiredTlsNeedsACertificateThatHolds() {
		assertThat(hand(TlsMode.REQUIRED, this.certificate, null)).isInstanceOf(Outcome.Delivered.class);
		assertThatThrownBy(() -> hand(TlsMode.REQUIRED, null, null)).isInstanceOf(NotOpened.class);
	}

	@Test
	void requiredTlsDoesNotGoOnWithoutIt() {
		this.server.offering("PIPELINING");
		assertThatThrownBy(() -> hand(TlsMode.REQUIRED, this.certificate, null)).isInstanceOf(NotOpened.class)
			.hasMessageContaining("STARTTLS");
	}

	@Test
	void whatWasPutInBeforeTlsBeganIsNotHeard() {
		this.server.answer("STARTTLS", "220 2.0.0 Go on\r\n250-injected\r\n250 AUTH PLAIN");
		assertThatThrownBy(() -> hand(TlsMode.REQUIRED, this.certificate, "user")).isInstanceOf(NotOpened.class);
		assertThat(this.server.commands()).noneMatch((line) -> line.startsWith("AUTH"));
	}

	private Outcome hand(TlsMode tls, Path ca, String user) {
		SmtpRelay relay = new SmtpRelay(
				new RelaySettings("localhost", this.server.port(), user, "secret", tls, ca, true, "helo.test", 2,
						Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(5)),
				Clock.systemUTC());
		try {
			return relay.with(ANYWHERE, (session) -> session.hand(new Envelope("b@bounce.a.test", "c@d.test"), MESSAGE))
				.map(HandOverResult::outcome)
				.block(Duration.ofSeconds(30));
		}
		finally {
			relay.destroy();
		}
	}

}
