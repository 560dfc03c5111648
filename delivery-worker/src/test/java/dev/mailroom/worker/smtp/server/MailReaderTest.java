package dev.mailroom.worker.smtp.server;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;

import com.sun.management.ThreadMXBean;
import dev.mailroom.inbound.InboundEmail;
import dev.mailroom.worker.smtp.server.MailReader.ParsedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class MailReaderTest {

	@Test
	void headerTextHtmlAndAttachmentsAreRead() {
		ParsedMessage message = read("""
				From: =?utf-8?Q?J=C3=BCrgen?= <j@author.test>
				To: "One, Two" <one@in.test>, friends: two@in.test, three@in.test;
				To: four@in.test
				Cc: =?utf-8?B?w5xuYWw=?= <five@in.test>
				Subject: =?utf-8?Q?Gr=C3=BC?= =?utf-8?Q?=C3=9Fe?=
				Message-ID: <a@b>
				Content-Type: multipart/mixed; boundary=x

				--x
				Content-Type: multipart/alternative; boundary=y

				--y
				Content-Type: text/plain; charset=iso-8859-1
				Content-Transfer-Encoding: quoted-printable

				Sch=F6n
				--y
				Content-Type: text/html

				<p>Schön</p>
				--y--
				--x
				Content-Type: text/plain
				Content-Disposition: attachment; filename*=utf-8''%C3%BC.txt
				Content-Transfer-Encoding: base64

				ZmlsZQ==
				--x
				Content-Type: message/rfc822

				Subject: Inner

				Hi
				--x
				Content-Type: image/png; name="=?utf-8?Q?=C3=A4.png?="

				png
				--x--
				""");
		assertThat(message.heading().fromEmail()).isEqualTo("j@author.test");
		assertThat(message.heading().fromName()).isEqualTo("Jürgen");
		assertThat(message.heading().toEmails()).containsExactly("one@in.test", "two@in.test", "three@in.test",
				"four@in.test");
		assertThat(message.heading().ccEmails()).containsExactly("five@in.test");
		assertThat(message.heading().subject()).isEqualTo("Grüße");
		assertThat(message.authors()).containsExactly("author.test");
		assertThat(message.messageId()).isEqualTo("<a@b>");
		assertThat(message.text().text()).isEqualTo("Schön");
		assertThat(message.text().html()).isEqualTo("<p>Schön</p>");
		assertThat(message.files()).extracting(InboundEmail.FileContent::filename)
			.containsExactly("ü.txt", "attachment-2.eml", "ä.png");
		assertThat(message.files().getFirst().content()).asString().isEqualTo("file");
		assertThat(message.files().get(1).content()).asString().startsWith("Subject: Inner");
	}

	@Test
	void aMalformedMailIsReadAsFarAsPossible() {
		ParsedMessage bare = read("\nonly a body");
		assertThat(bare.heading().fromEmail()).isEqualTo("sender@out.test");
		assertThat(bare.heading().subject()).isEmpty();
		assertThat(bare.authors()).isEmpty();
		assertThat(bare.messageId()).isNull();
		assertThat(bare.text().text()).isEqualTo("only a body");
		assertThat(read("").text().text()).isNull();
		ParsedMessage broken = read("""
				From: not an address
				To: <<>, , ok@in.test
				Subject: =?x-none?Q?=?= \u0000\u0007!
				Content-Type: multipart/mixed; boundary=x

				--x
				Content-Type: text/plain; charset=x-no-such
				Content-Transfer-Encoding: base64

				SGkAIQ==!!
				""");
		assertThat(broken.heading().subject()).endsWith("!").doesNotContain("\u0000", "\u0007");
		assertThat(broken.text().text()).isEqualTo("Hi\uFFFD!");
	}

	@ParameterizedTest
	@CsvSource({ "YWJjZA==, abcd", "YWJjZA, abcd", "YW!@#Jj ZA==YWFh, abcdaaa", "YQ== Yg== Y, ab", "YWI=YWI=, abab",
			"====, ''", "'', ''" })
	void base64IsDecodedAsMailProgramsDoIt(String encoded, String decoded) {
		for (String text : new String[] { encoded, encoded.replace(" ", "\n") }) {
			ParsedMessage message = read(
					"Content-Type: application/x\nContent-Transfer-Encoding: BASE64\n\n" + text + "\n");
			assertThat(message.files()).singleElement()
				.satisfies((file) -> assertThat(file.content()).asString().isEqualTo(decoded));
		}
	}

	@Test
	void anAttachmentOfManyBlocksIsDecoded() {
		byte[] content = new byte[100_000];
		new Random(1).nextBytes(content);
		ParsedMessage message = read("Content-Type: application/x\nContent-Transfer-Encoding: base64\n\n"
				+ Base64.getMimeEncoder().encodeToString(content).replace("\r", ""));
		assertThat(message.files().getFirst().content()).isEqualTo(content);
	}

	@Test
	void allAuthorsAreReturned() {
		assertThat(read("From: a@one.test, b@two.test\nFrom: c@three.test\n\nx").authors())
			.containsExactlyInAnyOrder("one.test", "two.test", "three.test", "");
	}

	@Test
	void aSecondFromFieldAddsAnEmptyAuthor() {
		for (String second : List.of("From: ", "FROM :", "from\t:")) {
			assertThat(read("From: chief@one.test\n" + second + "news@one.test\n\nx").authors()).as(second)
				.containsExactlyInAnyOrder("one.test", "");
		}
	}

	@Test
	void aTypeThatCannotBeStoredIsReplaced() {
		for (String type : List.of("image/p\0ng", "image/" + "x".repeat(5000), "image/ä", "application/pdf")) {
			assertThat(read("Content-Type: " + type + "; name=a.pdf\n\nx").files()).singleElement()
				.satisfies((file) -> assertThat(file.contentType())
					.isEqualTo(type.equals("application/pdf") ? type : "application/octet-stream"));
		}
	}

	@Test
	void aMailWithTooManyOrTooDeeplyNestedPartsIsReadInPart() {
		String part = "--x\nContent-Type: image/png\n\np\n";
		assertThat(read("Content-Type: multipart/mixed; boundary=x\n\n" + part.repeat(1000) + "--x--\n").files())
			.hasSize(200);
		StringBuilder deep = new StringBuilder("Subject: deep\n");
		for (int i = 0; i < 2000; i++) {
			deep.append("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n".formatted(i, i));
		}
		ParsedMessage message = read(deep + "\nnot read");
		assertThat(message.heading().subject()).isEqualTo("deep");
		assertThat(message.text().text()).isNull();
	}

	@Test
	void veryLongHeadersAreTruncated() {
		assertThat(read("Subject: kept\nX-Long: " + "x".repeat(1_000_000) + "\n\nbody").heading().subject())
			.isEqualTo("kept");
		assertThat(read("Subject: kept\n" + "X: y\n".repeat(100_000) + "\nbody").heading().subject()).isEqualTo("kept");
		assertThat(read("To: " + "a@b.test, ".repeat(5000) + "c@d.test\n\nbody").heading().toEmails())
			.hasSizeLessThanOrEqualTo(500);
	}

	@Test
	void authorsAndFieldsBeyondTheLimitsAreIgnoredAndFailDmarc() {
		String many = "<a@b.test>, ".repeat(8_000);
		assertThat(read("From: a@b.test, " + many + "c@d.test\n\nx").authors()).containsExactlyInAnyOrder("b.test", "");
		ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = thread.getCurrentThreadAllocatedBytes();
		ParsedMessage mail = read("From: one@b.test\n"
				+ ("From: " + many + "c@d.test\nTo: " + many + "c@d.test\n").repeat(100) + "Subject: late\n\nbody");
		assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(700_000_000);
		assertThat(mail.heading().fromEmail()).isEqualTo("one@b.test");
		assertThat(mail.heading().subject()).isEmpty();
		assertThat(mail.authors()).containsExactlyInAnyOrder("b.test", "");
		assertThat(mail.text().text()).isEqualTo("body");
		String padding = ("X: " + "x".repeat(90_000) + "\n").repeat(6);
		assertThat(read("From: a@b.test\n" + padding + "From: a@b.test\n\nx").authors())
			.containsExactlyInAnyOrder("b.test", "");
	}

	@ParameterizedTest
	@CsvSource({ "../../etc/passwd, passwd", "C:\\temp\\a.exe, a.exe", "'a\r\nb.txt', ab.txt", "' . ', other",
			"'', other", "../.., other", "invoice\u202Efdp.exe, invoicefdp.exe",
			"ü \uD83C\uDF89.txt, ü \uD83C\uDF89.txt" })
	void aFileNameContainsNoPathAndNoControlCharacters(String given, String expected) {
		assertThat(MailReader.fileName(given, "other")).isEqualTo(expected);
	}

	@Test
	void aLongFileNameKeepsItsExtension() {
		assertThat(MailReader.fileName("x".repeat(500) + ".pdf", "other")).hasSize(200).endsWith("x.pdf");
	}

	private static ParsedMessage read(String mail) {
		return MailReader.read(new IncomingMail(InetAddress.getLoopbackAddress(), "h", "sender@out.test",
				mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)));
	}

}
