package dev.mailroom.worker.smtp.server;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.WrongSetting;
import dev.mailroom.account.Networks;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Connections from proxies, which are on the loopback address here. */
class ProxiedConnectionTest {

	private static final byte[] SIGNATURE = { 0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a };

	private static final int LOCAL = 0x20;

	private static final int PROXY = 0x21;

	private SmtpServer server = start(List.of("127.0.0.0/8"), 10);

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void versionOneNamesTheClient() throws IOException {
		try (SmtpTestClient client = connect()) {
			client.send("PROXY TCP4 203.0.113.9 192.0.2.1 40000 25\r\n");
			client.expect("220 ");
			assertThat(client(client)).isEqualTo("203.0.113.9");
		}
	}

	@Test
	void versionTwoNamesTheClientAlsoOfIpv6AndInPieces() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.server.port())) {
			byte[] header = version2(PROXY, "2001:db8::7");
			socket.getOutputStream().write(header, 0, 20);
			socket.getOutputStream().flush();
			socket.getOutputStream().write(header, 20, header.length - 20);
			socket.getOutputStream().write("EHLO me\r\nMAIL FROM:<a@x.test>\r\n".getBytes(StandardCharsets.US_ASCII));
			assertThat(replies(socket)).contains("250 2.1.0 2001:db8:0:0:0:0:0:7");
		}
	}

	@Test
	void aCheckOfTheProxyHasItsOwnAddress() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.server.port())) {
			socket.getOutputStream().write(version2(LOCAL, "2001:db8::7"));
			socket.getOutputStream().write("EHLO me\r\nMAIL FROM:<a@x.test>\r\n".getBytes(StandardCharsets.US_ASCII));
			assertThat(replies(socket)).contains("250 2.1.0 127.0.0.1");
		}
	}

	@Test
	void aConnectionOfAProxyWithoutAHeaderIsClosed() throws IOException {
		try (SmtpTestClient client = connect()) {
			client.send("EHLO somebody.example\r\n");
			assertThat(client.isClosed()).isTrue();
		}
	}

	@Test
	void othersCannotNameAClient() throws IOException {
		this.server.close();
		this.server = start(List.of("192.0.2.0/24"), 10);
		try (SmtpTestClient client = connect()) {
			client.expect("220 ");
			client.send("PROXY TCP4 203.0.113.9 192.0.2.1 40000 25\r\n");
			client.expect("500 ");
			assertThat(client(client)).isEqualTo("127.0.0.1");
		}
	}

	@Test
	void connectionsAreLimitedByClientAndNotByProxy() throws IOException {
		this.server.close();
		this.server = start(List.of("127.0.0.1"), 1);
		try (SmtpTestClient first = connect(); SmtpTestClient second = connect(); SmtpTestClient third = connect()) {
			first.send("PROXY TCP4 203.0.113.9 192.0.2.1 40000 25\r\n");
			first.expect("220 ");
			second.send("PROXY TCP4 203.0.113.9 192.0.2.1 40001 25\r\n");
			second.expect("421 ");
			third.send("PROXY TCP4 198.51.100.9 192.0.2.1 40000 25\r\n");
			third.expect("220 ");
		}
	}

	@Test
	void aProxyThatIsNoAddressIsRefused() {
		assertThatExceptionOfType(WrongSetting.class)
			.isThrownBy(() -> new SmtpProxies(List.of("10.0.0.0/8", "haproxy")).networks())
			.withMessageContaining("MAILROOM_SMTP_PROXIES")
			.withMessageContaining("haproxy");
	}

	/** The client's address as the server's handlers see it. */
	private static String client(SmtpTestClient client) throws IOException {
		client.send("EHLO me\r\nMAIL FROM:<a@x.test>\r\n");
		client.expect("250 ");
		return client.expect("250 2.1.0 ").substring("250 2.1.0 ".length());
	}

	private static String replies(Socket socket) throws IOException {
		socket.getOutputStream().write("QUIT\r\n".getBytes(StandardCharsets.US_ASCII));
		return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
	}

	private SmtpTestClient connect() throws IOException {
		return new SmtpTestClient(this.server.port());
	}

	/** A header of a connection over TCP with IPv6. */
	private static byte[] version2(int command, String address) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream header = new DataOutputStream(bytes);
		header.write(SIGNATURE);
		header.write(command);
		header.write(0x21);
		header.writeShort(36);
		header.write(InetAddress.ofLiteral(address).getAddress());
		header.write(InetAddress.ofLiteral("2001:db8::25").getAddress());
		header.writeShort(40000);
		header.writeShort(25);
		return bytes.toByteArray();
	}

	private static SmtpServer start(List<String> proxies, int connectionsEach) {
		SmtpLimits usual = SmtpLimits.usual();
		SmtpLimits limits = new SmtpLimits(usual.connections(), connectionsEach, usual.bytes(), usual.command(),
				usual.block(), usual.mail(), usual.answer(), usual.drain());
		SmtpServer server = new SmtpServer(
				new SmtpServerOptions("127.0.0.1", 0, "mx.x.test", null, false, 1_000_000, 10, limits), new Addresses(),
				new Networks(proxies));
		server.start();
		return server;
	}

	/** Replies to a sender with the address of its client. */
	private static final class Addresses implements SmtpHandler {

		@Override
		public boolean requiresAuth() {
			return false;
		}

		@Override
		public Mono<SmtpReply> sender(SmtpClient client, String sender) {
			InetSocketAddress address = client.address();
			return Mono.just(new SmtpReply(250, "2.1.0", address.getAddress().getHostAddress()));
		}

		@Override
		public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
			return Mono.just(OK);
		}

		@Override
		public Mono<SmtpReply> mail(SmtpMail mail) {
			return Mono.just(OK);
		}

		@Override
		public int memoryFactor() {
			return 1;
		}

	}

}
