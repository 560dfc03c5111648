package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static dev.mailroom.worker.smtp.server.TestSmtpServer.ADA;
import static org.assertj.core.api.Assertions.assertThat;

/** The protocol on real sockets. */
@Execution(ExecutionMode.CONCURRENT)
class SmtpServerTest {

	private final TestSmtpServer server = new TestSmtpServer();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void pipelinedCommandsAreRepliedInOrder() throws IOException {
		try (SmtpTestClient client = this.server.connect()) {
			client.send("EHLO me\r\nSTARTTLS\r\n");
			client.expect("250 ", "220 ");
			client.startTls();
			client.send("EHLO me\r\nAUTH PLAIN " + SmtpTestClient.plain("ada", "right")
					+ "\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<refused@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n");
			client.expect("250 ", "235 2.7.0 ", "250 2.1.0 ", "550 5.1.1 ", "250 2.1.0 ", "354 ");
			client.send("..hello\r\n.\r\nNOOP\r\nQUIT\r\n");
			client.expect("250 2.6.0 ", "250 2.0.0 ", "221 ");
			assertThat(client.isClosed()).isTrue();
		}
		assertThat(this.server.mails()).singleElement().satisfies((mail) -> {
			assertThat(mail.rcptTo()).containsExactly("b@x.test");
			assertThat(mail.content()).asString(StandardCharsets.US_ASCII).isEqualTo(".hello\r\n");
			assertThat(mail.client().principal()).isEqualTo(ADA);
			assertThat(mail.client().tls()).isTrue();
			assertThat(mail.client().helo()).isEqualTo("me");
		});
	}

	@Test
	void commandsSentBeforeTlsAreDiscarded() throws IOException {
		try (SmtpTestClient client = this.server.connect()) {
			client.send("EHLO me\r\nSTARTTLS\r\nNOOP\r\nNOOP\r\n");
			client.expect("250 ", "220 ");
			client.startTls();
			client.send("MAIL FROM:<a@x.test>\r\n");
			client.expect("503 ");
			client.send("EHLO me\r\n");
			assertThat(client.expect("250 ")).contains("AUTH PLAIN LOGIN").doesNotContain("STARTTLS");
		}
	}

	@Test
	void aSmuggledMailIsNotAccepted() throws IOException {
		String inside = "MAIL FROM:<evil@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nevil\r\n.\r\n";
		for (String end : List.of("\n.\n", "\n.\r\n", "\r.\r\n", "\r\n.\r", "\r\n.\n", "\r.\r", "\r\n\0.\r\n")) {
			try (SmtpTestClient client = this.server.authenticate()) {
				client.send("MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n");
				client.expect("250 ", "250 ", "354 ");
				client.send("good" + end + inside);
				client.expect(end.contains("\0") ? "250 2.6.0 " : "554 5.6.0 ");
				client.send("NOOP\r\n");
				client.expect("250 2.0.0 ");
			}
		}
		assertThat(this.server.mails()).singleElement()
			.satisfies((mail) -> assertThat(mail.mailFrom()).isEqualTo("a@x.test"));
	}

	@Test
	void stoppingClosesConnectionsWithAReply() throws IOException {
		try (SmtpTestClient client = this.server.connect()) {
			this.server.close();
			client.expect("421 4.3.2 ");
			assertThat(client.isClosed()).isTrue();
		}
	}

	@Test
	void anErrorOfTheHandlerIsATemporaryFailure() throws IOException {
		try (SmtpTestClient client = this.server.authenticate()) {
			client.send("MAIL FROM:<broken@x.test>\r\nMAIL FROM:<a@x.test>\r\n");
			client.expect("451 4.3.0 ", "250 ");
		}
	}

}
