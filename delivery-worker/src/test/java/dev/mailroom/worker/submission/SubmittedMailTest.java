package dev.mailroom.worker.submission;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import dev.mailroom.email.Submission;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SubmittedMailTest {

	private static final String PLAIN = """
			From: Shop <hello@shop.test>
			To: Ann <ann@example.test>, bob@example.test
			Cc: =?UTF-8?Q?Zo=C3=AB?= <ZOE@example.test>
			Bcc: hidden@example.test
			Subject: =?UTF-8?B?R3LDvMOfZQ==?=
			Reply-To: help@shop.test
			Date: Sat, 21 Nov 2026 10:00:00 +0000
			Message-ID: <1@shop.test>
			Received: from elsewhere
			X-Order: 17
			Content-Type: text/plain; charset=utf-8
			Content-Transfer-Encoding: quoted-printable

			It w=C3=B6rks.
			""";

	@Test
	void onlyTheEnvelopeSaysWhoGetsIt() throws Unreadable {
		Submission mail = read(PLAIN, "ann@example.test", "zoe@example.test", "quiet@example.test");
		assertThat(mail.to()).containsExactly("Ann <ann@example.test>");
		assertThat(mail.cc()).containsExactly("Zoë <ZOE@example.test>");
		assertThat(mail.bcc()).containsExactly("quiet@example.test");
	}

	@Test
	void oneRecipientWhomNoHeaderNamesIsShownAsTo() throws Unreadable {
		assertThat(read(PLAIN, "alone@example.test").to()).containsExactly("alone@example.test");
		Submission several = read(PLAIN, "one@example.test", "two@example.test");
		assertThat(several.to()).isEmpty();
		assertThat(several.bcc()).containsExactly("one@example.test", "two@example.test");
	}

	@Test
	void whatTheHeaderSaysIsReadAndWhatCarriesAMailIsLeftOut() throws Unreadable {
		Submission mail = read(PLAIN, "ann@example.test");
		assertThat(mail.from()).isEqualTo("Shop <hello@shop.test>");
		assertThat(mail.subject()).isEqualTo("Grüße");
		assertThat(mail.replyTo()).containsExactly("help@shop.test");
		assertThat(mail.headers()).isEqualTo(Map.of("X-Order", "17"));
		assertThat(mail.text()).isEqualTo("It wörks.\r\n");
		assertThat(mail.html()).isNull();
		assertThat(mail.attachments()).isEmpty();
	}

	@Test
	void severalAuthorsAreNoAddress() throws Unreadable {
		String two = PLAIN.replace("From: Shop <hello@shop.test>", "From: a@shop.test, b@other.test");
		assertThat(read(two, "ann@example.test").from()).isEqualTo("a@shop.test, b@other.test");
	}

	@Test
	void bodiesAndFilesAreFoundHoweverTheyAreNested() throws Unreadable {
		Submission mail = read("""
				From: hello@shop.test
				To: ann@example.test
				Subject: All
				MIME-Version: 1.0
				Content-Type: multipart/mixed; boundary=m

				--m
				Content-Type: multipart/alternative; boundary=a

				--a
				Content-Type: text/plain

				words
				--a
				Content-Type: multipart/related; boundary=r

				--r
				Content-Type: text/html; charset=iso-8859-1
				Content-Transfer-Encoding: base64

				PGltZyBzcmM9J2NpZDpsb2dvJz7k
				--r
				Content-Type: image/png
				Content-ID: <logo>
				Content-Disposition: inline; filename=logo.png
				Content-Transfer-Encoding: base64

				AAECAw==
				--r--
				--a--
				--m
				Content-Type: text/plain; name="=?UTF-8?Q?n=C3=B6te.txt?="
				Content-Disposition: attachment; filename="=?UTF-8?Q?n=C3=B6te.txt?="

				a note
				--m--
				""", "ann@example.test");
		assertThat(mail.text()).isEqualTo("words");
		assertThat(mail.html()).isEqualTo("<img src='cid:logo'>ä");
		assertThat(mail.attachments()).containsExactly(new Submission.File("logo.png", "AAECAw==", "image/png", "logo"),
				new Submission.File("nöte.txt",
						Base64.getEncoder().encodeToString("a note".getBytes(StandardCharsets.UTF_8)), "text/plain",
						null));
	}

	@Test
	void whatIsNestedBeyondReasonIsNotRead() {
		StringBuilder nested = new StringBuilder("From: hello@shop.test\n");
		for (int i = 0; i < 30; i++) {
			nested.append("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n".formatted(i, i));
		}
		assertThatExceptionOfType(Unreadable.class).isThrownBy(() -> read(nested + "\nwords", "ann@example.test"))
			.withMessageContaining("nested more than 20 deep");
	}

	private static Submission read(String mail, String... recipients) throws Unreadable {
		return SubmittedMail.read(mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8), List.of(recipients));
	}

}
