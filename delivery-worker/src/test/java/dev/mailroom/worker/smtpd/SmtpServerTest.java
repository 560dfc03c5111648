package dev.mailroom.worker.smtpd;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import javax.net.ssl.KeyManagerFactory;

import dev.mailroom.Scope;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The server as clients find it: on real sockets. */
class SmtpServerTest {

	private static final Scope ADA = Scope.of(UUID.randomUUID());

	@TempDir
	private static Path directory;

	private static SslContext tls;

	private final List<SmtpMail> taken = new CopyOnWriteArrayList<>();

	private SmtpServer server;

	/** With a certificate made by the JDK's tool. */
	@BeforeAll
	static void certify() throws Exception {
		Path file = directory.resolve("keys.p12");
		new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
				"-alias", "server", "-keyalg", "EC", "-dname", "CN=mx.x.test", "-storetype", "PKCS12", "-keystore",
				file.toString(), "-storepass", "changeit")
			.inheritIO()
			.start()
			.waitFor();
		KeyStore keys = KeyStore.getInstance(file.toFile(), "changeit".toCharArray());
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(keys, "changeit".toCharArray());
		tls = SslContextBuilder.forServer(factory).build();
	}

	@BeforeEach
	void start() {
		this.server = serving(SmtpLimits.usual());
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void takesWhatIsPipelinedInItsOrder() throws IOException {
		try (SmtpTestClient client = client()) {
			client.say("EHLO me\r\nSTARTTLS\r\n");
			client.hears("250 ", "220 ");
			client.encrypt();
			client.say("EHLO me\r\nAUTH PLAIN " + plain("ada", "right")
					+ "\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<refused@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n");
			client.hears("250 ", "235 2.7.0 ", "250 2.1.0 ", "550 5.1.1 ", "250 2.1.0 ", "354 ");
			client.say("..hello\r\n.\r\nNOOP\r\nQUIT\r\n");
			client.hears("250 2.6.0 ", "250 2.0.0 ", "221 ");
			assertThat(client.isClosed()).isTrue();
		}
		assertThat(this.taken).singleElement().satisfies((mail) -> {
			assertThat(mail.rcptTo()).containsExactly("b@x.test");
			assertThat(mail.content()).asString(StandardCharsets.US_ASCII).isEqualTo(".hello\r\n");
			assertThat(mail.client().principal()).isEqualTo(ADA);
			assertThat(mail.client().tls()).isTrue();
			assertThat(mail.client().helo()).isEqualTo("me");
		});
	}

	@Test
	void forgetsWhatWasSaidBeforeTls() throws IOException {
		try (SmtpTestClient client = client()) {
			client.say("EHLO me\r\nSTARTTLS\r\nNOOP\r\nNOOP\r\n");
			client.hears("250 ", "220 ");
			client.encrypt();
			client.say("MAIL FROM:<a@x.test>\r\n");
			client.hears("503 ");
			client.say("EHLO me\r\n");
			assertThat(client.hears("250 ")).contains("AUTH PLAIN LOGIN").doesNotContain("STARTTLS");
		}
	}

	@Test
	void asksForNoPasswordInTheClear() throws IOException {
		try (SmtpTestClient client = client()) {
			client.say("EHLO me\r\n");
			assertThat(client.hears("250 ")).contains("STARTTLS").doesNotContain("AUTH");
			client.say("AUTH PLAIN " + plain("ada", "right") + "\r\nMAIL FROM:<a@x.test>\r\n");
			client.hears("538 5.7.11 ", "530 5.7.0 ");
		}
	}

	@Test
	void letsNobodyInWithoutThePassword() throws IOException {
		try (SmtpTestClient client = secured()) {
			client.say("MAIL FROM:<a@x.test>\r\nAUTH CRAM-MD5\r\nAUTH PLAIN\r\n*\r\nAUTH PLAIN ???\r\n");
			client.hears("530 5.7.0 ", "504 ", "334 ", "501 5.7.0 ", "501 5.5.2 ");
			client.say("AUTH LOGIN\r\n" + base64("ada") + "\r\n" + base64("wrong") + "\r\n");
			client.hears("334 VXNlcm5hbWU6", "334 UGFzc3dvcmQ6", "535 5.7.8 ");
			client.say("AUTH LOGIN " + base64("ada") + "\r\n" + base64("right") + "\r\nAUTH PLAIN\r\n");
			client.hears("334 UGFzc3dvcmQ6", "235 ", "503 ");
		}
	}

	@Test
	void hangsUpOnWhoeverGuesses() throws IOException {
		try (SmtpTestClient client = secured()) {
			client.say(("AUTH PLAIN " + plain("ada", "wrong") + "\r\n").repeat(5));
			client.hears("535 ", "535 ", "535 ", "421 ");
			assertThat(client.isClosed()).isTrue();
		}
	}

	@Test
	void seesOneMailWhereSmugglersPutTwo() throws IOException {
		String inside = "MAIL FROM:<evil@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nevil\r\n.\r\n";
		for (String end : List.of("\n.\n", "\n.\r\n", "\r.\r\n", "\r\n.\r", "\r\n.\n", "\r\n\0.\r\n")) {
			try (SmtpTestClient client = signedIn()) {
				client.say("MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n");
				client.hears("250 ", "250 ", "354 ");
				client.say("good" + end + inside);
				client.hears(end.contains("\0") ? "250 2.6.0 " : "554 5.6.0 ");
				client.say("NOOP\r\n");
				client.hears("250 2.0.0 ");
			}
		}
		assertThat(this.taken).allSatisfy((mail) -> assertThat(mail.mailFrom()).isEqualTo("a@x.test"));
	}

	@Test
	void hangsUpOnTheSlow() throws IOException {
		serveAnew(limits(10, Duration.ofMillis(150)));
		try (SmtpTestClient client = client()) {
			client.say("EHLO m");
			client.hears("421 4.4.2 ");
			assertThat(client.isClosed()).isTrue();
		}
		try (SmtpTestClient client = signedIn()) {
			client.say("MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nhello");
			client.hears("250 ", "250 ", "354 ", "421 4.4.2 ");
		}
	}

	@Test
	void letsInOnlySoManyFromOneAddress() throws IOException {
		serveAnew(limits(1, Duration.ofMinutes(1)));
		try (SmtpTestClient first = client()) {
			try (SmtpTestClient second = new SmtpTestClient(this.server.port())) {
				second.hears("421 4.7.0 ");
				assertThat(second.isClosed()).isTrue();
			}
			first.say("NOOP\r\n");
			first.hears("250 ");
		}
	}

	@Test
	void keepsNoMoreThanThereIsRoomFor() throws IOException {
		SmtpLimits usual = SmtpLimits.usual();
		serveAnew(new SmtpLimits(10, 10, 100_000, usual.command(), usual.block(), usual.mail(), usual.answer(),
				usual.drain()));
		try (SmtpTestClient client = signedIn()) {
			client.say("MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n");
			client.hears("250 ", "250 ", "354 ");
			client.say("x".repeat(200_000) + "\r\n.\r\n");
			client.hears("452 4.3.1 ");
			client.say("MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nsmall\r\n.\r\n");
			client.hears("250 ", "250 ", "354 ", "250 ");
		}
	}

	@Test
	void readsNoMoreOfWhoeverDoesNotListen() throws IOException {
		try (SmtpTestClient client = client()) {
			String flight = "NOOP\r\n".repeat(20_000);
			Thread talking = Thread.ofVirtual().start(() -> client.sayAll(flight));
			client.hears(IntStream.range(0, 20_000).mapToObj((_) -> "250 ").toArray(String[]::new));
			assertThat(talking.isAlive()).isFalse();
		}
	}

	@Test
	void freesThePlaceOfWhoeverNeverListens() throws Exception {
		serveAnew(limits(1, Duration.ofSeconds(1)));
		byte[] flight = "EHLO me\r\n".repeat(150_000).getBytes(StandardCharsets.US_ASCII);
		try (Socket deaf = new Socket()) {
			deaf.setReceiveBufferSize(4096);
			deaf.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.server.port()));
			assertThat(firstLine(deaf)).startsWith("220 ");
			Thread.ofPlatform().start(() -> talk(deaf, flight));
			Instant deadline = Instant.now().plusSeconds(20);
			String greeting = greeting();
			while (greeting.startsWith("421") && Instant.now().isBefore(deadline)) {
				greeting = greeting();
			}
			assertThat(greeting).startsWith("220 ");
		}
	}

	@Test
	void saysGoodbyeWhenItStops() throws IOException {
		try (SmtpTestClient client = client()) {
			this.server.close();
			client.hears("421 4.3.2 ");
			assertThat(client.isClosed()).isTrue();
		}
	}

	@Test
	void asksAgainLaterWhereItsHandlerFails() throws IOException {
		try (SmtpTestClient client = signedIn()) {
			client.say("MAIL FROM:<broken@x.test>\r\nMAIL FROM:<a@x.test>\r\n");
			client.hears("451 4.3.0 ", "250 ");
		}
	}

	/** Until nobody takes in any more of it. */
	private static void talk(Socket socket, byte[] flight) {
		try {
			socket.getOutputStream().write(flight);
		}
		catch (IOException _) {
			// The server has hung up.
		}
	}

	private String greeting() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.server.port())) {
			return firstLine(socket);
		}
	}

	private static String firstLine(Socket socket) throws IOException {
		return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
	}

	private SmtpTestClient client() throws IOException {
		SmtpTestClient client = new SmtpTestClient(this.server.port());
		client.hears("220 mx.x.test ESMTP");
		return client;
	}

	private SmtpTestClient secured() throws IOException {
		SmtpTestClient client = client();
		client.say("STARTTLS\r\n");
		client.hears("220 ");
		client.encrypt();
		client.say("EHLO me\r\n");
		client.hears("250 ");
		return client;
	}

	private SmtpTestClient signedIn() throws IOException {
		SmtpTestClient client = secured();
		client.say("AUTH PLAIN " + plain("ada", "right") + "\r\n");
		client.hears("235 ");
		return client;
	}

	private void serveAnew(SmtpLimits limits) {
		this.server.close();
		this.server = serving(limits);
	}

	private SmtpServer serving(SmtpLimits limits) {
		SmtpServer server = new SmtpServer(
				new SmtpServerOptions("127.0.0.1", 0, "mx.x.test", tls, false, 1_000_000, 10, limits), new Taking());
		server.start();
		return server;
	}

	private static SmtpLimits limits(int each, Duration patience) {
		SmtpLimits usual = SmtpLimits.usual();
		return new SmtpLimits(10, each, usual.bytes(), patience, patience, patience, usual.answer(), usual.drain());
	}

	private static String plain(String user, String password) {
		return base64("\0" + user + "\0" + password);
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	private final class Taking implements SmtpHandler {

		@Override
		public boolean wantsSignIn() {
			return true;
		}

		@Override
		public Mono<Scope> signIn(SmtpClient client, String user, String password) {
			return Mono.just(ADA).filter((_) -> user.equals("ada") && password.equals("right"));
		}

		@Override
		public Mono<SmtpReply> sender(SmtpClient client, String sender) {
			return sender.startsWith("broken") ? Mono.error(new IllegalStateException("broken")) : Mono.just(OK);
		}

		@Override
		public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
			return Mono.just(recipient.startsWith("refused") ? new SmtpReply(550, "5.1.1", "Nobody") : OK)
				.delayElement(Duration.ofMillis(1));
		}

		@Override
		public Mono<SmtpReply> mail(SmtpMail mail) {
			SmtpServerTest.this.taken.add(mail);
			return Mono.just(new SmtpReply(250, "2.6.0", "Taken"));
		}

	}

}
