package dev.mailroom.worker.compose;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.worker.compose.Mime.BodyText;
import jakarta.mail.Multipart;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Bodies compared with those that the mail library writes. */
class MimeTest {

	private static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");

	@Test
	void anInvitationIsAnAlternativeOfTheBodies() throws Exception {
		StoredMail.Attachment invitation = new StoredMail.Attachment("invite.ics",
				"text/calendar; charset=utf-8; method=REQUEST", null,
				"BEGIN:VCALENDAR".getBytes(StandardCharsets.UTF_8));
		StoredMail mail = new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", "<p>Come</p>",
				null, Map.of(), List.of(invitation), Instant.EPOCH, "transactional");
		MimeMessage message = new MimeMessage(Session.getInstance(new Properties()),
				new ByteArrayInputStream(Mime.write(ID, mail)));
		assertThat(message.getContentType()).startsWith("multipart/alternative");
		Multipart parts = (Multipart) message.getContent();
		assertThat(parts.getCount()).isEqualTo(2);
		assertThat(parts.getBodyPart(1).getContentType()).contains("text/calendar", "method=REQUEST");
	}

	static Stream<String> texts() {
		Random random = new Random(7);
		String alphabet = "abc .=\t\r\n\u0001\0ü🎉漢?";
		Stream<String> generated = Stream.generate(() -> {
			StringBuilder text = new StringBuilder();
			int length = random.nextInt(400);
			int kinds = 1 + random.nextInt(alphabet.codePointCount(0, alphabet.length()));
			for (int i = 0; i < length; i++) {
				text.appendCodePoint(alphabet.codePoints().skip(random.nextInt(kinds)).findFirst().orElseThrow());
			}
			return text.toString();
		}).limit(200);
		return Stream.concat(generated,
				Stream.of("", "a", "\n", "x".repeat(998), "x".repeat(999), "ü" + "x".repeat(74), "ü" + "x".repeat(75),
						"ü" + " ".repeat(100), "ü" + "\t\n".repeat(50), "ü\n" + "=".repeat(26), "漢".repeat(300),
						"From here\n.\n..\nü", "ends with a space \nü "));
	}

	@ParameterizedTest
	@MethodSource("texts")
	void aBodyHasTheEncodingAndTheContentThatTheMailLibraryWouldWrite(String text) throws Exception {
		MimeMessage written = new MimeMessage(session(), new ByteArrayInputStream(Mime.write(ID, mail(text))));
		MimeMessage expected = new MimeMessage(session());
		String lines = text.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\r\n");
		expected.setContent(lines, "text/plain; charset=UTF-8");
		expected.saveChanges();
		assertThat(written.getEncoding()).isEqualTo(expected.getEncoding());
		assertThat(written.getContentType()).isEqualTo(expected.getContentType());
		String content = (String) written.getContent();
		assertThat(content.endsWith("\r\n") ? content : content + "\r\n")
			.isEqualTo(lines.endsWith("\r\n") ? lines : lines + "\r\n");
	}

	@ParameterizedTest
	@MethodSource("texts")
	void encodedLinesHaveAtMost76CharactersAndNoWhiteSpaceAtTheirEnd(String text) {
		BodyText body = BodyText.of(text);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		body.writeTo(out);
		String encoded = out.toString(StandardCharsets.ISO_8859_1);
		int max = body.encoding().equals("7bit") ? 998 : 76;
		assertThat(encoded.split("\r\n", -1)).allMatch((line) -> line.length() <= max)
			.noneMatch((line) -> line.contains("\r") || line.contains("\n"));
		if (body.encoding().equals("quoted-printable")) {
			assertThat(encoded.split("\r\n", -1)).noneMatch((line) -> line.endsWith(" ") || line.endsWith("\t"));
			assertThat(encoded).matches("[\\x21-\\x7e \\t\\r\\n]*");
		}
	}

	@Test
	void linesAreCounted() {
		assertThat(BodyText.of("a\nb\r\nc\rd").lines()).isEqualTo(3);
	}

	private static Session session() {
		return Session.getInstance(new Properties());
	}

	private static StoredMail mail(String text) {
		return new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", null, text, Map.of(),
				List.of(), Instant.EPOCH, "transactional");
	}

}
