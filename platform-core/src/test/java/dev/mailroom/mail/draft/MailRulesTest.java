package dev.mailroom.mail.draft;

import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.mail.accept.CheckedMails;
import dev.mailroom.mail.draft.MailContent.Attachment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class MailRulesTest {

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private static final MailContent CONTENT = MailContent.of("s", null, "x");

	@Test
	void aValidMailKeepsItsFields() {
		MailContent content = new MailContent("Grüße", "<p>x</p>", "x",
				List.of(Attachment.of("a.txt", "text/plain", null, "aGk=")), Map.of("k", 1),
				Map.of("X-Campaign", "spring"), true, null);
		Submission mail = new Submission("Ann <a@b.test>", List.of("c@d.test"), List.of("\"E, F\" <e@d.test>"),
				List.of("g@d.test"), List.of("h@d.test"), content, null, "2030-01-02T00:00:00+01:00", null);
		CheckedMail checked = MailRules.check(mail, NOW);
		assertThat(checked.from().toString()).isEqualTo("Ann <a@b.test>");
		assertThat(checked.cc().getFirst().name()).isEqualTo("E, F");
		assertThat(checked.recipients()).containsExactly("c@d.test", "e@d.test", "g@d.test");
		assertThat(checked.sendAt()).isEqualTo(Instant.parse("2030-01-01T23:00:00Z"));
		assertThat(checked.content()).isEqualTo(content);
	}

	@Test
	void oneMailboxInSeveralSpellingsIsOneRecipient() {
		Submission mail = new Submission("a@b.test", List.of("Bob@d.test"), List.of("bob@d.test", "BOB@D.test"),
				List.of("c@d.test"), List.of(), CONTENT, null, null, null);
		assertThat(MailRules.check(mail, NOW).recipients()).containsExactly("Bob@d.test", "c@d.test");
	}

	@Test
	void allFaultsAreReportedTogether() {
		assertThat(fields(Submission.of(null, List.of(), MailContent.of(null, "", null)))).containsExactly("from", "to",
				"subject", "html");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a", "a@", "@b.test", "a@b", "a@b.test, c@d.test", "a@b.test\r\nBcc: c@d.test",
			"a@[127.0.0.1]", "<a@b.test", "a b@c.test", "x <y> <a@b.test>", "a@b.test\u2028", "\0a@b.test",
			"@x.test:a@b.test", "Name <a@b.test> trailing", "a@-b.test", "a..b@c.test" })
	void anInvalidAddressIsRefused(String address) {
		assertThat(fields(CheckedMails.submission(address, "c@d.test"))).containsExactly("from");
		assertThat(fields(CheckedMails.submission("a@b.test", address))).containsExactly("to[0]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "From", "to", "Date", "Received", "DKIM-Signature", "Bcc", "Message-ID", "Content-Type",
			"X-Mailroom-Id", "X-Original-Mail-From", "X-HmXmrOriginalRecipient", "Return-Path", "Sender", "a b",
			"X-A: b", "" })
	void aHeaderOfThePlatformIsRefused(String name) {
		assertThat(fields(with(Map.of(name, "x")))).containsExactly("headers." + name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nBcc: x@y.test", "a\nb", "a\0b", "a\u0085b", "a\u2029b" })
	void aHeaderValueWithALineBreakIsRefused(String value) {
		assertThat(fields(with(Map.of("X-A", value)))).containsExactly("headers.X-A");
		assertThat(fields(with(MailContent.of(value, null, "x")))).containsExactly("subject");
		assertThat(fields(with(Attachment.of(value, null, null, "aGk=")))).containsExactly("attachments[0].filename");
	}

	@ParameterizedTest
	@ValueSource(strings = { "aGk", "aG k=", "aGk=\n", "_-8=", "====" })
	void contentThatIsNotStrictlyBase64IsRefused(String content) {
		assertThat(fields(with(Attachment.of("a.txt", null, null, content)))).containsExactly("attachments[0].content");
	}

	@ParameterizedTest
	@ValueSource(strings = { "pdf", "multipart/mixed", "application/pdf; name", "text/plain\r\n; a=b", "a b/c", "" })
	void anInvalidContentTypeIsRefused(String type) {
		assertThat(fields(with(Attachment.of("a.txt", type, null, "aGk="))))
			.containsExactly("attachments[0].contentType");
		assertThat(fields(with(Attachment.of("a.txt", "text/plain; charset=utf-8", null, "aGk=")))).isEmpty();
	}

	@Test
	void recipientsAttachmentsAndBytesAreLimited() {
		String[] many = IntStream.range(0, 51).mapToObj((i) -> i + "@d.test").toArray(String[]::new);
		assertThat(fields(CheckedMails.submission("a@b.test", many))).containsExactly("to");
		Attachment small = Attachment.of("a.txt", null, null, "aGk=");
		assertThat(fields(with(Collections.nCopies(11, small).toArray(Attachment[]::new))))
			.containsExactly("attachments");
		String half = Base64.getEncoder().encodeToString(new byte[5 * 1024 * 1024 + 1]);
		Attachment large = Attachment.of("a.bin", null, null, half);
		assertThat(fields(with(large, large))).containsExactly("attachments");
		assertThat(fields(with(large))).isEmpty();
		String text = "ü".repeat(2 * 1024 * 1024 + 1);
		assertThat(fields(with(new MailContent("s", text, text, List.of(large), Map.of(), Map.of(), null, null))))
			.containsExactly("html");
		assertThat(fields(with(MailContent.of("s", null, text + text)))).isEmpty();
		assertThat(fields(with(Attachment.of("a.txt", null, null, "")))).containsExactly("attachments[0].content");
		List<@Nullable String> replies = Collections.nCopies(26, "r@d.test");
		assertThat(fields(CheckedMails.submission("a@b.test", "c@d.test").withReplyTo(replies)))
			.containsExactly("reply_to");
	}

	@ParameterizedTest
	@ValueSource(strings = { "2029-12-31T23:59:59Z", "2030-01-01T00:00:00Z", "2030-01-31T00:00:01Z",
			"2030-01-02T00:00:00", "tomorrow", "" })
	void aTimeInThePastTooFarAheadOrWithoutOffsetIsRefused(String at) {
		Submission mail = new Submission("a@b.test", List.of("c@d.test"), List.of(), List.of(), List.of(), CONTENT,
				null, at, null);
		assertThat(fields(mail)).containsExactly("send_at");
	}

	private static Submission with(Map<String, String> headers) {
		return with(CONTENT.withHeaders(headers));
	}

	private static Submission with(Attachment... files) {
		return with(CONTENT.withAttachments(List.of(files)));
	}

	private static Submission with(MailContent content) {
		return Submission.of("a@b.test", List.of("c@d.test"), content);
	}

	private static List<String> fields(Submission mail) {
		@Nullable Refused refused = catchThrowableOfType(Refused.class, () -> MailRules.check(mail, NOW));
		if (refused == null) {
			return List.of();
		}
		assertThat(refused.refusal()).isEqualTo(Refusal.invalid("Validation error"));
		return refused.details().stream().map(Refusal.Detail::field).toList();
	}

}
