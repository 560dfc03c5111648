package dev.mailroom.worker.compose;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import java.util.UUID;

import dev.mailroom.mail.queue.StoredMail;
import jakarta.mail.Multipart;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeadersTest {

	private static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");

	@Test
	void theDateIsInUtcInAnyTimeZone() {
		TimeZone before = TimeZone.getDefault();
		try {
			TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
			assertThat(written(Map.of())).contains("Date: Wed, 2 Jan 2030 23:04:05 +0000\r\n");
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "=?UTF-8?B?QWRtaW4=?=", "Plain Name", "O'Hara, \"Bob\" (x) \\ y", "Ünal Ö.",
			"Straße der sehr langen Namen, in der jeder Name länger ist als eine einzige Zeile der Post 🎉 und weiter" })
	void displayNamesArriveUnchanged(String name) throws Exception {
		String quoted = "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\" <a@b.test>";
		StoredMail mail = new StoredMail(quoted, List.of(quoted, "e@d.test"), List.of(), List.of(), "s", null, "x",
				Map.of(), List.of(), Instant.EPOCH, "transactional");
		MimeMessage message = read(Mime.write(ID, mail));
		assertThat(((InternetAddress) message.getFrom()[0]).getPersonal()).isEqualTo(name);
		assertThat(((InternetAddress) message.getAllRecipients()[0]).getPersonal()).isEqualTo(name);
		assertThat(((InternetAddress) message.getAllRecipients()[0]).getAddress()).isEqualTo("a@b.test");
		assertThat(message.getAllRecipients()).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "Subject", "X-A", "X-A-Header-Of-A-Name-That-Leaves-Hardly-Any-Room-For-More-On-Its-Line" })
	void linesWithEncodedWordsHaveAtMost76Characters(String name) throws Exception {
		String text = "Grüße 🎉 aus Köln, ".repeat(10);
		StoredMail mail = new StoredMail("Ü".repeat(60) + " <a@b.test>", List.of("Ü".repeat(22) + " <c@d.test>"),
				List.of(), List.of("Ü".repeat(22) + " <c@d.test>"), name.equals("Subject") ? text : "s", null, "x",
				name.equals("Subject") ? Map.of() : Map.of(name, text), List.of(), Instant.EPOCH, "transactional");
		byte[] bytes = Mime.write(ID, mail);
		assertThat(new String(bytes, StandardCharsets.US_ASCII).lines().filter((line) -> line.contains("=?UTF-8")))
			.hasSizeGreaterThan(5)
			.allMatch((line) -> line.length() <= 76);
		assertThat(MimeUtility.decodeText(MimeUtility.unfold(read(bytes).getHeader(name)[0])).strip())
			.isEqualTo(text.strip());
	}

	@Test
	void anAddressThatIsNotAsciiIsWrittenInUtf8() {
		StoredMail mail = new StoredMail("a@b.test", List.of("Jürgen <jürgen@d.test>"), List.of("用户@d.test"), List.of(),
				"s", null, "x", Map.of(), List.of(), Instant.EPOCH, "transactional");
		assertThat(new String(Mime.write(ID, mail), StandardCharsets.UTF_8)).contains("<jürgen@d.test>",
				"Cc: 用户@d.test\r\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "List-Unsubscribe", "In-Reply-To", "List-Id", "Feedback-ID" })
	void structuredFieldsAreNotEncoded(String name) {
		String value = "<https://x.test/" + "u".repeat(700) + ">, <mailto:u@x.test?subject==?x?=>";
		String written = written(Map.of(name, value));
		assertThat(written.replace("\r\n ", " ")).contains("\r\n" + name + ": " + value + "\r\n");
		assertThat(written.split("\r\n")).allMatch((line) -> line.length() <= 998);
		assertThatThrownBy(() -> written(Map.of(name, "<https://x.test/" + "u".repeat(1000) + ">")))
			.isInstanceOf(Composer.Unrenderable.class);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\'',
			value = { "Grüße aus Köln <news.example.com>|<news.example.com>",
					"\"Grüße, Köln\" <news.example.com>|<news.example.com>",
					"<https://x.test/ü?a=b>, <mailto:u@x.test>|<https://x.test/%C3%BC?a=b>, <mailto:u@x.test>",
					"abcü:def|=?UTF-8?B?" })
	void structuredFieldsAreWrittenInAscii(String value, String contained) throws Exception {
		String written = written(Map.of("List-Id", value));
		assertThat(written.chars()).allMatch((character) -> character < 0x7f);
		String field = MimeUtility.unfold(read(written.getBytes(StandardCharsets.US_ASCII)).getHeader("List-Id")[0]);
		assertThat(field).contains(contained);
		if (!value.contains("https")) {
			assertThat(MimeUtility.decodeText(field)).isEqualTo(value.replace("\"", ""));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "X-A\r\nBcc", "X A", "X-A:", "", "Bcc", "From", "DKIM-Signature", "Content-Type" })
	void invalidAndReservedFieldNamesAreRefused(String name) {
		assertThatThrownBy(() -> written(Map.of(name, "x"))).isInstanceOf(Composer.Unrenderable.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nX-B: c", "a>", "a b", "", "ü" })
	void anInvalidContentIdIsRefused(String id) {
		assertThatThrownBy(
				() -> Mime.write(ID, mailWith(new StoredMail.Attachment("a.png", "image/png", id, new byte[1]))))
			.isInstanceOf(Composer.Unrenderable.class);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "a.pdf", "with \"quotes\" and \\.pdf", "=?UTF-8?Q?no?=.pdf", "=?UTF-8?Q?no?=", "Übung.pdf" })
	void fileNamesArriveUnchanged(String name) throws Exception {
		assertThat(fileName(name)).isEqualTo(name);
	}

	@Test
	void aLongFileNameIsSplitIntoContinuations() throws Exception {
		assertThat(fileName("漢".repeat(255))).isEqualTo("漢".repeat(255));
		assertThat(fileName("x".repeat(255))).isEqualTo("x".repeat(255));
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain; charset=utf-8; x=\"y\"", "multipart/mixed; boundary=x", "no type",
			"message/rfc822" })
	void longOrMultipartContentTypesAreReplaced(String type) {
		byte[] bytes = Mime.write(ID, mailWith(new StoredMail.Attachment("a", type, null, new byte[1])));
		assertThat(new String(bytes, StandardCharsets.US_ASCII)).doesNotContain("boundary=x");
		String longType = "text/plain; x=" + "y".repeat(2000);
		byte[] longer = Mime.write(ID, mailWith(new StoredMail.Attachment("a", longType, null, new byte[1])));
		assertThat(new String(longer, StandardCharsets.US_ASCII).split("\r\n"))
			.allMatch((line) -> line.length() <= 998);
	}

	private static String fileName(String name) throws Exception {
		byte[] bytes = Mime.write(ID, mailWith(new StoredMail.Attachment(name, "application/pdf", null, new byte[1])));
		assertThat(new String(bytes, StandardCharsets.ISO_8859_1).split("\r\n"))
			.allMatch((line) -> line.length() <= 998);
		return ((Multipart) read(bytes).getContent()).getBodyPart(1).getFileName();
	}

	private static StoredMail mailWith(StoredMail.Attachment file) {
		return new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", null, "x", Map.of(),
				List.of(file), Instant.EPOCH, "transactional");
	}

	private static String written(Map<String, String> headers) {
		StoredMail mail = new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", null, "x", headers,
				List.of(), Instant.parse("2030-01-02T23:04:05Z"), "transactional");
		return new String(Mime.write(ID, mail), StandardCharsets.UTF_8);
	}

	private static MimeMessage read(byte[] bytes) throws Exception {
		return new MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(bytes));
	}

}
