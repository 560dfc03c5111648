package dev.mailroom.mail.mime;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.Refused;
import dev.mailroom.mail.draft.Submission;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SubmittedMessageTest {

	private static final String HEAD = "From: a@x.test\r\nTo: b@x.test\r\nSubject: Hi\r\n";

	private static final String MIXED = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";

	private static final String MANY_LINES = "a:\r\n".repeat(1_000_000);

	@Test
	void aHeaderOfAMillionLinesIsRefused() {
		refused(HEAD + MANY_LINES + "\r\nHello\r\n", "a header is longer");
		refused(HEAD + "X-Folded: 1" + "\r\n ".repeat(1_000_000) + "\r\n\r\nHello\r\n", "a header is longer");
		refused(HEAD + MIXED + "--b\r\n" + MANY_LINES + "\r\nHello\r\n--b--\r\n", "a header is longer");
	}

	@Test
	void aMessageOfAMillionPartsIsRefused() {
		refused(HEAD + MIXED + "--b\r\n\r\n\r\n".repeat(1_000_000) + "--b--\r\n", "more than 200 parts");
	}

	@Test
	void aDeeplyNestedMessageIsRefused() {
		StringBuilder mail = new StringBuilder(HEAD);
		for (int level = 0; level < 50; level++) {
			mail.append("Content-Type: multipart/mixed; boundary=b")
				.append(level)
				.append("\r\n\r\n--b")
				.append(level)
				.append("\r\n");
		}
		refused(mail + "\r\nHello\r\n", "more than 20 deep");
	}

	@Test
	void aMessageWithinTheBoundsIsReadCompletely() {
		String part = "--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n";
		SubmittedMessage message = read(
				HEAD + "X-Long: " + "x".repeat(900) + "\r\n" + MIXED + part.repeat(200) + "--b--\r\n");
		assertThat(message.submission().content().text()).hasSize(200 * "Hello".length() + 199);
		assertThat(read("Subject: Hi\r\n\r\nHello").submission().content().text()).isEqualTo("Hello");
		assertThat(read("\r\n" + "x".repeat(200_000)).submission().content().text()).hasSize(200_000);
	}

	@Test
	void aRecipientIsSpelledAsInTheEnvelope() {
		SubmittedMessage message = read("From: a@x.test\r\nTo: Bo <B@X.test>\r\nSubject: Hi\r\n\r\nHello");
		assertThat(message.submission().to()).containsExactly("Bo <b@x.test>");
		assertThat(message.submission().bcc()).isEmpty();
	}

	@Test
	void withoutAnEnvelopeTheHeaderNamesTheRecipients() {
		Submission mail = SubmittedMessage.read(List.of(), """
				From: a@x.test
				To: Bo <b@x.test>, b@X.test
				Cc: c@x.test
				Bcc: d@x.test, B@x.test
				Subject: Hi

				Hello
				""".getBytes(StandardCharsets.US_ASCII), "2030-01-01T00:00:00Z").submission();
		assertThat(mail.to()).containsExactly("Bo <b@x.test>");
		assertThat(mail.cc()).containsExactly("c@x.test");
		assertThat(mail.bcc()).containsExactly("d@x.test");
		assertThat(mail.sendAt()).isEqualTo("2030-01-01T00:00:00Z");
	}

	@Test
	void aLargeMessageWhoseLinesEndWithLfIsRead() {
		String body = "x\n".repeat(100_000);
		assertThat(read(HEAD.replace("\r", "") + "\n" + body).submission().content().text()).isEqualTo(body);
		assertThat(read("\n" + body).submission().content().text()).isEqualTo(body);
		refused("a:\n".repeat(100_000) + "\nHello", "a header is longer");
	}

	@Test
	void textsAreJoinedAtALineEnd() {
		SubmittedMessage message = read(HEAD + MIXED + "--b\r\nContent-Type: text/plain\r\n\r\none\r\n"
				+ "--b\r\nContent-Type: text/plain\r\n\r\nfooter of list\r\n--b--\r\n");
		assertThat(message.submission().content().text()).isEqualTo("one\nfooter of list");
	}

	@Test
	void anInvitationKeepsItsMethod() {
		SubmittedMessage message = read(HEAD + "Content-Type: multipart/alternative; boundary=b\r\n\r\n"
				+ "--b\r\nContent-Type: text/plain\r\n\r\nCome\r\n"
				+ "--b\r\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\n--b--\r\n");
		assertThat(message.submission().content().attachments()).singleElement().satisfies((file) -> {
			assertThat(file.contentType()).isEqualToIgnoringCase("text/calendar; charset=utf-8; method=REQUEST");
			assertThat(file.filename()).isEqualTo("invite.ics");
		});
	}

	@Test
	void aSignedOrEncryptedMessageIsRefused() {
		for (String type : List.of("signed", "encrypted")) {
			refused(HEAD + "Content-Type: multipart/" + type + "; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n--b--\r\n",
					"it is signed or encrypted");
		}
	}

	private static void refused(String mail, String message) {
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> read(mail)).withMessageContaining(message);
	}

	private static SubmittedMessage read(String mail) {
		return SubmittedMessage.read(List.of("b@x.test"), mail.getBytes(StandardCharsets.US_ASCII), null);
	}

}
