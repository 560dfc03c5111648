package dev.mailroom.worker.smtpd;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class DialogueTest {

	private static final int MOST_BYTES = 1000;

	private static final int MOST_RECIPIENTS = 5;

	private final List<SmtpMail> taken = new ArrayList<>();

	private final Dialogue dialogue = dialogue();

	private boolean over;

	@Test
	void offersWhatItKnows() {
		assertThat(hear("EHLO me\r\n")).isEqualTo("""
				250-mailroom
				250-PIPELINING
				250-SIZE 1000
				250-8BITMIME
				250-ENHANCEDSTATUSCODES
				250 SMTPUTF8
				""".replace("\n", "\r\n"));
	}

	@Test
	void takesAMail() {
		begin();
		assertThat(hear("DATA\r\n")).startsWith("354 ");
		assertThat(hear("Subject: x\r\n\r\nhello\r\n.\r\n")).isEqualTo("250 2.6.0 Taken\r\n");
		assertThat(this.taken).singleElement().satisfies((mail) -> {
			assertThat(mail.mailFrom()).isEqualTo("a@x.test");
			assertThat(mail.rcptTo()).containsExactly("b@x.test");
			assertThat(text(mail)).isEqualTo("Subject: x\r\n\r\nhello\r\n");
		});
	}

	@Test
	void takesEverythingInOneFlightOrByteForByte() {
		String flight = "EHLO me\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nhello\r\n.\r\nQUIT\r\n";
		assertThat(codes(hear(flight))).containsExactly("250", "250", "250", "354", "250", "221");
		assertThat(this.over).isTrue();
		DialogueTest slow = new DialogueTest();
		flight.chars().forEach((next) -> slow.hear(Character.toString(next)));
		assertThat(slow.taken).singleElement().satisfies((mail) -> assertThat(text(mail)).isEqualTo("hello\r\n"));
	}

	@Test
	void removesTheDotsOfTheTransferAndNoOthers() {
		data("..one\r\n...\r\n.two\r\na.b\r\n.\r\n");
		assertThat(text(this.taken.getFirst())).isEqualTo(".one\r\n..\r\ntwo\r\na.b\r\n");
	}

	@Test
	void takesAnEmptyMail() {
		data(".\r\n");
		assertThat(text(this.taken.getFirst())).isEmpty();
	}

	@Test
	void endsDataAtNothingButCrLfDotCrLf() {
		for (String almost : List.of("x\n.\n", "x\n.\r\n", "x\r.\r\n", "x\r\n.\n", "x\r\n.\r\r\n")) {
			DialogueTest other = new DialogueTest();
			other.begin();
			other.hear("DATA\r\n");
			assertThat(other.hear(almost)).as(almost).isEmpty();
			assertThat(other.hear("\r\n.\r\n")).as(almost).startsWith("554 5.6.0 ");
			assertThat(other.taken).isEmpty();
		}
	}

	@Test
	void refusesWhatIsTooLargeAndGoesOn() {
		assertThat(hear("EHLO me\r\nMAIL FROM:<a@x.test> SIZE=1001\r\n")).contains("552 5.3.4 ");
		begin();
		hear("DATA\r\n");
		assertThat(hear("x".repeat(MOST_BYTES) + "\r\n.\r\n")).startsWith("552 5.3.4 ");
		data("small\r\n.\r\n");
		assertThat(this.taken).hasSize(1);
	}

	@Test
	void asksForThingsInOrder() {
		assertThat(hear("MAIL FROM:<a@x.test>\r\n")).startsWith("503 ");
		assertThat(hear("RCPT TO:<a@x.test>\r\n")).startsWith("503 ");
		assertThat(hear("DATA\r\n")).startsWith("503 ");
		begin();
		assertThat(hear("MAIL FROM:<a@x.test>\r\n")).startsWith("503 ");
		assertThat(hear("RSET\r\n")).startsWith("250 ");
		assertThat(hear("DATA\r\n")).startsWith("503 ");
	}

	@Test
	void readsAddressesAsTheyAreWritten() {
		hear("EHLO me\r\n");
		assertThat(hear("MAIL FROM:a@x.test\r\n")).startsWith("501 ");
		assertThat(hear("MAIL FROM:<ä@x.test>\r\n")).startsWith("553 5.6.7 ");
		assertThat(hear("MAIL FROM:<a@x.test> ORBITS=3\r\n")).startsWith("555 ");
		assertThat(hear("mail from: <> body=8bitmime smtputf8\r\n")).startsWith("250 ");
		assertThat(hear("RCPT TO:<>\r\n")).startsWith("501 ");
		assertThat(hear("RCPT TO:<\"a>b\"@x.test>\r\n")).startsWith("250 ");
		assertThat(hear("RCPT TO:<ä@x.test>\r\n")).startsWith("250 ");
	}

	@Test
	void refusesABareLineEndInACommand() {
		assertThat(hear("NOOP\nNOOP\r\n")).startsWith("500 ").doesNotContain("250");
		assertThat(hear("NOOP\r\n")).startsWith("250 ");
	}

	@Test
	void hangsUpOnThoseWhoOnlyErr() {
		assertThat(hear("WHAT\r\n".repeat(30))).endsWith("421 4.7.0 Too many errors\r\n");
		assertThat(this.over).isTrue();
		DialogueTest other = new DialogueTest();
		assertThat(other.hear("\0".repeat(5000))).startsWith("500 ");
		assertThat(other.over).isTrue();
	}

	@Test
	void takesALongLineWhereExtensionsAllowIt() {
		hear("EHLO me\r\n");
		assertThat(hear("NOOP " + "x".repeat(505) + "\r\n")).startsWith("250 ");
		assertThat(hear("NOOP " + "x".repeat(506) + "\r\n")).startsWith("500 5.5.2 ");
		assertThat(hear("MAIL FROM:<a@x.test> " + "x".repeat(600) + "\r\n")).startsWith("555 ");
	}

	@Test
	void countsTheRecipientsThatWereTaken() {
		begin();
		for (int more = 1; more < MOST_RECIPIENTS; more++) {
			assertThat(hear("RCPT TO:<b@x.test>\r\n")).startsWith("250 ");
		}
		assertThat(hear("RCPT TO:<b@x.test>\r\n")).startsWith("452 4.5.3 ");
		assertThat(hear("DATA\r\nx\r\n.\r\n")).contains("354 ", "250 ");
	}

	private void begin() {
		assertThat(codes(hear("EHLO me\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\n"))).containsOnly("250");
	}

	private void data(String content) {
		begin();
		hear("DATA\r\n");
		assertThat(hear(content)).startsWith("250 ");
	}

	private String hear(String sent) {
		ByteBuf bytes = Unpooled.copiedBuffer(sent, StandardCharsets.UTF_8);
		StringBuilder heard = new StringBuilder();
		while (bytes.isReadable() && !this.over) {
			heard.append(done(this.dialogue.hear(bytes)));
		}
		return heard.toString();
	}

	private String done(Step step) {
		return switch (step) {
			case Step.More _ -> "";
			case Step.Say(var lines, var last) -> {
				this.over |= last;
				yield lines;
			}
			case Step.Ask ask -> done(this.dialogue.answered(ask, Objects.requireNonNull(ask.question().block())));
			case Step.Encrypt(var lines) -> lines;
		};
	}

	private Dialogue dialogue() {
		SmtpLimits limits = SmtpLimits.usual();
		return new Dialogue(new SmtpServerOptions("", 0, "mailroom", null, false, MOST_BYTES, MOST_RECIPIENTS, limits),
				(mail) -> {
					this.taken.add(mail);
					return Mono.just(new SmtpReply(250, "2.6.0", "Taken"));
				}, new ConnectionLimits(limits), new SmtpSessionState(new InetSocketAddress("127.0.0.1", 1)));
	}

	private static String text(SmtpMail mail) {
		return new String(mail.content(), StandardCharsets.UTF_8);
	}

	private static List<String> codes(String replies) {
		return replies.lines().filter((line) -> line.charAt(3) == ' ').map((line) -> line.substring(0, 3)).toList();
	}

}
