package dev.mailroom.worker.smtp.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/** Timeouts, limits and backpressure on real sockets. */
@Execution(ExecutionMode.CONCURRENT)
class ServerLimitsTest {

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final Duration SHORT = Duration.ofMillis(150);

	@Test
	void aClientThatDoesNotCompleteACommandIsDisconnected() throws IOException {
		try (TestSmtpServer server = new TestSmtpServer(limits(10, SHORT, LONG));
				SmtpTestClient client = server.connect()) {
			client.send("EHLO m");
			client.expect("421 4.4.2 ");
			assertThat(client.isClosed()).isTrue();
		}
	}

	@Test
	void aClientThatDoesNotCompleteAMessageIsDisconnected() throws IOException {
		try (TestSmtpServer server = new TestSmtpServer(limits(10, LONG, SHORT));
				SmtpTestClient client = server.authenticate()) {
			client.send("MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nhello");
			client.expect("250 ", "250 ", "354 ", "421 4.4.2 ");
		}
	}

	@Test
	void aClientThatSendsCommandsButNoMailIsDisconnected() throws IOException {
		try (TestSmtpServer server = new TestSmtpServer(); SmtpTestClient client = server.connect()) {
			client.send("NOOP\r\nRSET\r\n".repeat(51));
			client.expect(Collections.nCopies(100, "250 ").toArray(String[]::new));
			client.expect("421 4.7.0 ");
			assertThat(client.isClosed()).isTrue();
		}
		SmtpLimits usual = SmtpLimits.usual();
		SmtpLimits brief = new SmtpLimits(10, 10, usual.bytes(), LONG, LONG, SHORT, usual.answer(), usual.drain());
		try (TestSmtpServer server = new TestSmtpServer(brief); SmtpTestClient client = server.connect()) {
			client.expect("421 4.4.2 ");
			assertThat(client.isClosed()).isTrue();
		}
	}

	@Test
	void connectionsFromOneAddressAreLimited() throws IOException {
		try (TestSmtpServer server = new TestSmtpServer(limits(1, LONG, LONG));
				SmtpTestClient first = server.connect()) {
			try (SmtpTestClient second = new SmtpTestClient(server.port())) {
				second.expect("421 4.7.0 ");
				assertThat(second.isClosed()).isTrue();
			}
			first.send("NOOP\r\n");
			first.expect("250 ");
		}
	}

	@Test
	void memoryForMessagesIsLimited() throws IOException {
		SmtpLimits usual = SmtpLimits.usual();
		SmtpLimits limits = new SmtpLimits(10, 10, 100_000, usual.command(), usual.block(), usual.mail(),
				usual.answer(), usual.drain());
		try (TestSmtpServer server = new TestSmtpServer(limits); SmtpTestClient client = server.authenticate()) {
			client.send("MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n");
			client.expect("250 ", "250 ", "354 ");
			client.send("x".repeat(200_000) + "\r\n.\r\n");
			client.expect("452 4.3.1 ");
			client.send("MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nsmall\r\n.\r\n");
			client.expect("250 ", "250 ", "354 ", "250 ");
		}
	}

	@Test
	void memoryForHandlingMessagesIsLimited() throws IOException {
		SmtpLimits usual = SmtpLimits.usual();
		SmtpLimits limits = new SmtpLimits(10, 10, 500_000, usual.command(), usual.block(), usual.mail(),
				usual.answer(), usual.drain());
		String mail = "MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n" + "x".repeat(80_000) + "\r\n.\r\n";
		try (TestSmtpServer server = new TestSmtpServer(limits);
				SmtpTestClient first = server.authenticate();
				SmtpTestClient second = server.authenticate()) {
			Sinks.Empty<Void> replies = server.withholdReplies();
			first.send(mail);
			first.expect("250 ", "250 ", "354 ");
			Await.until("the first mail is handled", () -> server.mails().size() == 1);
			second.send(mail);
			second.expect("250 ", "250 ", "354 ", "452 4.3.1 ");
			replies.tryEmitEmpty();
			first.expect("250 ");
			second.send(mail);
			second.expect("250 ", "250 ", "354 ", "250 ");
			first.send(mail.replace("x".repeat(80_000), "x".repeat(250_000)));
			first.expect("250 ", "250 ", "354 ", "250 ");
		}
	}

	@Test
	void allCommandsOfAClientThatReadsLateAreReplied() throws Exception {
		try (TestSmtpServer server = new TestSmtpServer(SmtpLimits.usual().withIdleCommands(20_000));
				SmtpTestClient client = server.connect()) {
			String commands = "NOOP\r\n".repeat(20_000);
			Thread sender = Thread.ofVirtual().start(() -> client.send(commands));
			client.expect(IntStream.range(0, 20_000).mapToObj((_) -> "250 ").toArray(String[]::new));
			assertThat(sender.join(LONG)).isTrue();
		}
	}

	@Test
	void aClientThatReadsNoRepliesIsDisconnected() throws Exception {
		byte[] commands = "EHLO me\r\n".repeat(150_000).getBytes(StandardCharsets.US_ASCII);
		try (TestSmtpServer server = new TestSmtpServer(
				limits(1, Duration.ofSeconds(1), LONG).withIdleCommands(150_000)); Socket socket = new Socket()) {
			socket.setReceiveBufferSize(4096);
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
			assertThat(firstLine(socket)).startsWith("220 ");
			Thread sender = Thread.ofPlatform().start(() -> send(socket, commands));
			Await.until("the place is free again", () -> greeting(server.port()).startsWith("220 "));
			assertThat(sender.join(LONG)).isTrue();
		}
	}

	private static void send(Socket socket, byte[] commands) {
		try {
			socket.getOutputStream().write(commands);
		}
		catch (IOException _) {
			// The server has closed the connection.
		}
	}

	private static String greeting(int port) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			return firstLine(socket);
		}
	}

	private static String firstLine(Socket socket) throws IOException {
		return String
			.valueOf(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
				.readLine());
	}

	private static SmtpLimits limits(int connectionsEach, Duration command, Duration block) {
		SmtpLimits usual = SmtpLimits.usual();
		return new SmtpLimits(10, connectionsEach, usual.bytes(), command, block, usual.mail(), usual.answer(),
				usual.drain());
	}

}
