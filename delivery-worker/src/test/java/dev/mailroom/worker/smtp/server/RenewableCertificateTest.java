package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.nio.file.attribute.FileTime;

import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RenewableCertificateTest {

	@TempDir
	Path directory;

	private Path certificate;

	private Path key;

	private SmtpServer server;

	@BeforeEach
	void start() throws Exception {
		this.certificate = this.directory.resolve("tls.crt");
		this.key = this.directory.resolve("tls.key");
		TestCertificate first = certificate("first.test");
		first.writeCertificate(this.certificate);
		first.writeKey(this.key);
		this.server = new SmtpServer(new SmtpServerOptions("127.0.0.1", 0, "mx.x.test",
				SmtpServerOptions.tls(this.certificate.toString(), this.key.toString(), "MAILROOM_INBOUND"), false,
				1_000_000, 10, SmtpLimits.usual()), new TestSmtpServer());
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void aNewConnectionPresentsTheCertificateThatReplacedAnother() throws Exception {
		assertThat(presented()).isEqualTo("CN=first.test");
		TestCertificate second = certificate("second.test");
		second.writeCertificate(this.certificate);
		touch(this.certificate, 1);
		assertThat(presented()).as("the key is still that of the first").isEqualTo("CN=first.test");
		second.writeKey(this.key);
		touch(this.key, 1);
		assertThat(presented()).isEqualTo("CN=second.test");
	}

	@Test
	void filesThatCannotBeUsedLeaveTheFormerCertificateInUse() throws IOException {
		Files.writeString(this.certificate, "no certificate");
		touch(this.certificate, 2);
		assertThat(presented()).isEqualTo("CN=first.test");
		Files.delete(this.key);
		assertThat(presented()).isEqualTo("CN=first.test");
	}

	@Test
	void aKeyOfAnotherCertificateIsRefusedAtTheStart() throws Exception {
		certificate("second.test").writeKey(this.key);
		assertThatThrownBy(
				() -> SmtpServerOptions.tls(this.certificate.toString(), this.key.toString(), "MAILROOM_INBOUND"))
			.isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("MAILROOM_INBOUND_CERT_FILE and MAILROOM_INBOUND_KEY_FILE")
			.hasStackTraceContaining("is the key of another certificate");
	}

	private TestCertificate certificate(String host) throws Exception {
		return TestCertificate.of(host, Files.createDirectory(this.directory.resolve(host)));
	}

	/** Two writes within a millisecond would have the same time. */
	private static void touch(Path file, int seconds) throws IOException {
		Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(seconds)));
	}

	/** Name of the certificate that the server presents to a new connection. */
	private String presented() throws IOException {
		try (SmtpTestClient client = new SmtpTestClient(this.server.port())) {
			client.expect("220 ");
			client.send("EHLO me\r\nSTARTTLS\r\n");
			client.expect("250 ", "220 ");
			return client.startTls();
		}
	}

}
