package dev.mailroom.worker.smtp.server;

import java.io.IOException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.mailroom.worker.smtp.server.SmtpTestClient.base64;
import static dev.mailroom.worker.smtp.server.SmtpTestClient.plain;
import static org.assertj.core.api.Assertions.assertThat;

class AuthenticationTest {

	private final TestSmtpServer server = new TestSmtpServer();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void authIsNeitherOfferedNorAcceptedWithoutTls() throws IOException {
		try (SmtpTestClient client = this.server.connect()) {
			client.send("EHLO me\r\n");
			assertThat(client.expect("250 ")).contains("STARTTLS").doesNotContain("AUTH");
			client.send("AUTH PLAIN " + plain("ada", "right") + "\r\nMAIL FROM:<a@x.test>\r\n");
			client.expect("538 5.7.11 ", "530 5.7.0 ");
		}
	}

	@Test
	void mailIsRefusedBeforeAuth() throws IOException {
		try (SmtpTestClient client = this.server.connectWithTls()) {
			client.send("MAIL FROM:<a@x.test>\r\n");
			client.expect("530 5.7.0 ");
		}
	}

	@Test
	void anUnknownMechanismACancellationAndInvalidBase64AreRefused() throws IOException {
		try (SmtpTestClient client = this.server.connectWithTls()) {
			client.send("AUTH CRAM-MD5\r\nAUTH PLAIN\r\n*\r\nAUTH PLAIN ???\r\n");
			client.expect("504 ", "334 ", "501 5.7.0 ", "501 5.5.2 ");
		}
	}

	@Test
	void loginPromptsForUserAndPassword() throws IOException {
		try (SmtpTestClient client = this.server.connectWithTls()) {
			client.send("AUTH LOGIN\r\n" + base64("ada") + "\r\n" + base64("wrong") + "\r\n");
			client.expect("334 VXNlcm5hbWU6", "334 UGFzc3dvcmQ6", "535 5.7.8 ");
			client.send("AUTH LOGIN " + base64("ada") + "\r\n" + base64("right") + "\r\nAUTH PLAIN\r\n");
			client.expect("334 UGFzc3dvcmQ6", "235 ", "503 ");
		}
	}

	@Test
	void theConnectionIsClosedAfterThreeFailures() throws IOException {
		try (SmtpTestClient client = this.server.connectWithTls()) {
			client.send(("AUTH PLAIN " + plain("ada", "wrong") + "\r\n").repeat(5));
			client.expect("535 ", "535 ", "535 ", "421 ");
			assertThat(client.isClosed()).isTrue();
		}
	}

}
