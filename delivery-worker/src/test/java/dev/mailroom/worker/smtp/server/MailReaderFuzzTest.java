package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.EmailAddress;
import dev.mailroom.Mutations;
import dev.mailroom.inbound.ArrivedMail;
import dev.mailroom.inbound.InboundEmail;
import dev.mailroom.worker.smtp.server.MailReader.ParsedMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of received mails. */
class MailReaderFuzzTest {

	@FuzzTest(maxDuration = "10m")
	void mails(byte[] input) {
		check(input);
	}

	@Test
	void mutatedMails() {
		Mutations.check(getClass(), "mails", 500, MailReaderFuzzTest::check);
	}

	private static void check(byte[] input) {
		ParsedMessage message = MailReader
			.read(new IncomingMail(InetAddress.getLoopbackAddress(), "client.test", "sender@client.test", input));
		ArrivedMail.Heading heading = message.heading();
		Stream
			.of(Stream.of(heading.fromEmail(), heading.fromName(), heading.subject()), heading.toEmails().stream(),
					heading.ccEmails().stream(), Stream.ofNullable(message.messageId()), message.authors().stream())
			.flatMap((texts) -> texts)
			.forEach(MailReaderFuzzTest::checkLine);
		assertThat(heading.fromEmail().codePoints().count()).isLessThanOrEqualTo(2000);
		assertThat(heading.toEmails()).hasSizeLessThanOrEqualTo(500);
		assertThat(heading.ccEmails()).hasSizeLessThanOrEqualTo(500);
		checkText(message.text().html());
		checkText(message.text().text());
		assertThat(message.files()).hasSizeLessThanOrEqualTo(200);
		message.files().forEach(MailReaderFuzzTest::checkFile);
		assertThat(message.files().stream().mapToInt((file) -> file.content().length).sum())
			.as("decoded files are not larger than the mail")
			.isLessThanOrEqualTo(input.length);
	}

	private static void checkFile(InboundEmail.FileContent file) {
		checkLine(file.filename());
		assertThat(file.filename()).isNotBlank().hasSizeLessThanOrEqualTo(200).doesNotContain("/", "\\");
		assertThat(file.contentType()).matches("[!-~]{1,127}/[!-~]{1,127}");
	}

	/** The text of one line, which PostgreSQL stores and a header may contain. */
	private static void checkLine(String text) {
		assertThat(text.chars().noneMatch(EmailAddress::breaksALine)).as("one line: %s", text).isTrue();
		checkText(text);
	}

	private static void checkText(@Nullable String text) {
		if (text != null) {
			assertThat(text.indexOf('\0')).as("no NUL").isNegative();
			assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)).as("in UTF-8")
				.isEqualTo(text);
		}
	}

}
