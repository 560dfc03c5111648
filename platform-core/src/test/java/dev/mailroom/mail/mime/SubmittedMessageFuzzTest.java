package dev.mailroom.mail.mime;

import java.time.Instant;
import java.util.List;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.EmailAddress;
import dev.mailroom.Mutations;
import dev.mailroom.Refused;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.MailRules;
import dev.mailroom.mail.draft.Mailbox;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of messages that clients submit. */
class SubmittedMessageFuzzTest {

	@FuzzTest(maxDuration = "10m")
	void messages(byte[] input) {
		check(input);
	}

	@Test
	void mutatedMessages() {
		Mutations.check(getClass(), "messages", 300, SubmittedMessageFuzzTest::check);
	}

	/** A message is refused, or is a mail of which nothing ends a line of a header. */
	private static void check(byte[] input) {
		CheckedMail checked;
		try {
			SubmittedMessage message = SubmittedMessage.read(List.of("b@x.test", "c@x.test"), input, null);
			assertThat(message.submission().bcc().size() + message.submission().to().size()
					+ message.submission().cc().size())
				.as("the envelope decides on the recipients")
				.isEqualTo(2);
			checked = MailRules.check(message.submission(), Instant.EPOCH);
		}
		catch (Refused ex) {
			assertThat(ex.refusal().error()).isEqualTo("Validation error");
			return;
		}
		assertThat(checked.recipients()).containsExactlyInAnyOrder("b@x.test", "c@x.test");
		checkLine(checked.from());
		checked.replyTo().forEach(SubmittedMessageFuzzTest::checkLine);
		checked.to().forEach(SubmittedMessageFuzzTest::checkLine);
		checkLine(checked.content().subject());
		checked.content().headers().forEach((name, value) -> checkLine(name + value));
		checked.content()
			.attachments()
			.forEach((file) -> checkLine(file.filename() + file.contentType() + file.contentId()));
	}

	private static void checkLine(Mailbox mailbox) {
		checkLine(mailbox.toString());
		assertThat(Mailbox.parse(mailbox.toString())).contains(mailbox);
	}

	private static void checkLine(String text) {
		assertThat(text.chars().noneMatch(EmailAddress::breaksALine)).as(text).isTrue();
	}

}
