package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.mailroom.Await;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class DialogueTest {

	private static final int MAX_BYTES = 1000;

	private static final int MAX_RECIPIENTS = 5;

	private final List<SmtpMail> mails = new ArrayList<>();

	private final Dialogue dialogue = dialogue();

	private boolean closed;

	@Test
	void ehloListsTheExtensions() {
		assertThat(send("EHLO me\r\n")).isEqualTo("""
				250-mailroom
				250-PIPELINING
				250-SIZE 1000
				250-8BITMIME
				250-ENHANCEDSTATUSCODES
				250 SMTPUTF8
				""".replace("\n", "\r\n"));
	}

	@Test
	void aMailIsAccepted() {
		begin();
		assertThat(send("DATA\r\n")).startsWith("354 ");
		assertThat(send("Subject: x\r\n\r\nhello\r\n.\r\n")).isEqualTo("250 2.6.0 Accepted\r\n");
		assertThat(this.mails).singleElement().satisfies((mail) -> {
			assertThat(mail.mailFrom()).isEqualTo("a@x.test");
			assertThat(mail.rcptTo()).containsExactly("b@x.test");
			assertThat(text(mail)).isEqualTo("Subject: x\r\n\r\nhello\r\n");
		});
	}

	@Test
	void commandsMayBePipelinedOrArriveByteByByte() {
		String commands = "EHLO me\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nhello\r\n.\r\nQUIT\r\n";
		assertThat(codes(send(commands))).containsExactly("250", "250", "250", "354", "250", "221");
		assertThat(this.closed).isTrue();
		DialogueTest other = new DialogueTest();
		commands.chars().forEach((next) -> other.send(Character.toString(next)));
		assertThat(other.mails).singleElement().satisfies((mail) -> assertThat(text(mail)).isEqualTo("hello\r\n"));
	}

	@Test
	void onlyDotStuffingIsRemoved() {
		data("..one\r\n...\r\n.two\r\na.b\r\n.\r\n");
		assertThat(text(this.mails.getFirst())).isEqualTo(".one\r\n..\r\ntwo\r\na.b\r\n");
	}

	@Test
	void anEmptyMailIsAccepted() {
		data(".\r\n");
		assertThat(text(this.mails.getFirst())).isEmpty();
	}

	@Test
	void dataEndsOnlyWithCrLfDotCrLf() {
		for (String end : List.of("x\n.\n", "x\n.\r\n", "x\r.\r\n", "x\r\n.\n", "x\r\n.\r\r\n")) {
			DialogueTest other = new DialogueTest();
			other.begin();
			other.send("DATA\r\n");
			assertThat(other.send(end)).as(end).isEmpty();
			assertThat(other.send("\r\n.\r\n")).as(end).startsWith("554 5.6.0 ");
			assertThat(other.mails).isEmpty();
		}
	}

	@Test
	void aMessageThatIsTooLargeIsRefusedAndTheNextAccepted() {
		assertThat(send("EHLO me\r\nMAIL FROM:<a@x.test> SIZE=1001\r\n")).contains("552 5.3.4 ");
		begin();
		send("DATA\r\n");
		assertThat(send("x".repeat(MAX_BYTES) + "\r\n.\r\n")).startsWith("552 5.3.4 ");
		data("small\r\n.\r\n");
		assertThat(this.mails).hasSize(1);
	}

	@Test
	void commandsOutOfSequenceAreRefused() {
		assertThat(send("MAIL FROM:<a@x.test>\r\n")).startsWith("503 ");
		assertThat(send("RCPT TO:<a@x.test>\r\n")).startsWith("503 ");
		assertThat(send("DATA\r\n")).startsWith("503 ");
		begin();
		assertThat(send("MAIL FROM:<a@x.test>\r\n")).startsWith("503 ");
		assertThat(send("RSET\r\n")).startsWith("250 ");
		assertThat(send("DATA\r\n")).startsWith("503 ");
	}

	@Test
	void addressesAndParametersAreParsed() {
		send("EHLO me\r\n");
		assertThat(send("MAIL FROM:a@x.test\r\n")).startsWith("501 ");
		assertThat(send("MAIL FROM:<ä@x.test>\r\n")).startsWith("553 5.6.7 ");
		assertThat(send("MAIL FROM:<a@x.test> ORBITS=3\r\n")).startsWith("555 ");
		assertThat(send("mail from: <> body=8bitmime smtputf8\r\n")).startsWith("250 ");
		assertThat(send("RCPT TO:<>\r\n")).startsWith("501 ");
		assertThat(send("RCPT TO:<\"a>b\"@x.test>\r\n")).startsWith("250 ");
		assertThat(send("RCPT TO:<ä@x.test>\r\n")).startsWith("250 ");
	}

	@Test
	void aBareLineEndInACommandIsRefused() {
		assertThat(send("NOOP\nNOOP\r\n")).startsWith("500 ").doesNotContain("250");
		assertThat(send("NOOP\r\n")).startsWith("250 ");
	}

	@Test
	void theConnectionIsClosedAfterTooManyErrors() {
		assertThat(send("WHAT\r\n".repeat(30))).endsWith("421 4.7.0 Too many errors\r\n");
		assertThat(this.closed).isTrue();
		DialogueTest other = new DialogueTest();
		assertThat(other.send("\0".repeat(5000))).startsWith("500 ");
		assertThat(other.closed).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST / HTTP/1.1", "GET / HTTP/1.1", "PRI * HTTP/2.0", "options * HTTP/1.1",
			"CONNECT x.test:25 HTTP/1.1", "Host: localhost:1025", "sec-fetch-mode: no-cors" })
	void aLineOfHttpEndsTheSessionAtOnce(String line) {
		assertThat(send(line + "\r\n\r\nEHLO me\r\nMAIL FROM:<a@x.test>\r\n"))
			.isEqualTo("421 4.7.0 This is an SMTP server\r\n");
		assertThat(this.closed).isTrue();
	}

	@Test
	void fewerErrorsArePermittedBeforeTheFirstMail() {
		assertThat(send("WHAT\r\n".repeat(4))).doesNotContain("421");
		DialogueTest other = new DialogueTest();
		other.begin();
		assertThat(other.send("WHAT\r\n".repeat(19))).doesNotContain("421");
		assertThat(send("WHAT\r\n")).endsWith("421 4.7.0 Too many errors\r\n");
	}

	@Test
	void onlyCommandsWithParametersMayBeLong() {
		send("EHLO me\r\n");
		assertThat(send("NOOP " + "x".repeat(505) + "\r\n")).startsWith("250 ");
		assertThat(send("NOOP " + "x".repeat(506) + "\r\n")).startsWith("500 5.5.2 ");
		assertThat(send("MAIL FROM:<a@x.test> " + "x".repeat(600) + "\r\n")).startsWith("555 ");
	}

	@Test
	void recipientsAreLimited() {
		begin();
		for (int more = 1; more < MAX_RECIPIENTS; more++) {
			assertThat(send("RCPT TO:<b@x.test>\r\n")).startsWith("250 ");
		}
		assertThat(send("RCPT TO:<b@x.test>\r\n")).startsWith("452 4.5.3 ");
		assertThat(send("DATA\r\nx\r\n.\r\n")).contains("354 ", "250 ");
	}

	private void begin() {
		assertThat(codes(send("EHLO me\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\n"))).containsOnly("250");
	}

	private void data(String content) {
		begin();
		send("DATA\r\n");
		assertThat(send(content)).startsWith("250 ");
	}

	private String send(String text) {
		ByteBuf bytes = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
		StringBuilder replies = new StringBuilder();
		while (bytes.isReadable() && !this.closed) {
			replies.append(perform(this.dialogue.read(bytes)));
		}
		return replies.toString();
	}

	private String perform(Action action) {
		return switch (action) {
			case Action.ReadMore _ -> "";
			case Action.Send(var lines, var close) -> {
				this.closed |= close;
				yield lines;
			}
			case Action.Call call ->
				perform(this.dialogue.completed(call, Objects.requireNonNull(Await.await(call.result()))));
			case Action.StartTls(var lines) -> lines;
		};
	}

	private Dialogue dialogue() {
		SmtpLimits limits = SmtpLimits.usual();
		return new Dialogue(new SmtpServerOptions("", 0, "mailroom", null, false, MAX_BYTES, MAX_RECIPIENTS, limits),
				(mail) -> {
					this.mails.add(mail);
					return Mono.just(new SmtpReply(250, "2.6.0", "Accepted"));
				}, new ConnectionLimits(limits), new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
	}

	private static String text(SmtpMail mail) {
		return new String(mail.content(), StandardCharsets.UTF_8);
	}

	private static List<String> codes(String replies) {
		return replies.lines().filter((line) -> line.charAt(3) == ' ').map((line) -> line.substring(0, 3)).toList();
	}

}
