package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.EmailAddress;
import dev.mailroom.Mutations;
import dev.mailroom.Refused;
import dev.mailroom.api.http.TestJson;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.MailRules;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.mail.draft.UncheckedMail;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of the bodies of POST /emails and POST /emails/batch. */
class SendEmailFuzzTest {

	private static final JsonMapper JSON = TestJson.mapper();

	@FuzzTest(maxDuration = "10m")
	void bodies(byte[] input) {
		check(input);
	}

	@Test
	void mutatedBodies() {
		Mutations.check(getClass(), "bodies", 500, SendEmailFuzzTest::check);
	}

	/** A body is refused, or is a mail of which nothing ends a line of a header. */
	private static void check(byte[] input) {
		try {
			checkMail(JSON.readValue(input, SendEmail.class));
		}
		catch (JacksonException _) {
			// Malformed JSON, or a field of another type.
		}
		try {
			JsonNode batch = JSON.readValue(input, JsonNode.class);
			for (JsonNode mail : (batch != null && batch.isArray()) ? batch.valueStream().toList()
					: List.<JsonNode>of()) {
				checkMail(JSON.treeToValue(mail, SendEmail.class));
			}
		}
		catch (JacksonException _) {
			// The same.
		}
	}

	private static void checkMail(SendEmail body) {
		if (body != null && body.received() instanceof Submission mail) {
			try {
				checkMail(MailRules.check(mail, Instant.EPOCH));
			}
			catch (Refused ex) {
				assertThat(ex.refusal().error()).isEqualTo("Validation error");
				assertThat(ex.details()).isNotEmpty();
			}
		}
		else if (body != null) {
			assertThat(body.received()).isInstanceOf(UncheckedMail.Unreadable.class);
		}
	}

	private static void checkMail(CheckedMail checked) {
		checkLine(checked.from().toString());
		assertThat(checked.recipients()).isNotEmpty().hasSizeLessThanOrEqualTo(50);
		checked.recipients().forEach((address) -> assertThat(EmailAddress.parse(address)).isPresent());
		for (List<Mailbox> mailboxes : List.of(checked.to(), checked.cc(), checked.bcc(), checked.replyTo())) {
			mailboxes.forEach((mailbox) -> assertThat(Mailbox.parse(mailbox.toString())).contains(mailbox));
		}
		checkLine(checked.content().subject());
		checked.content().headers().forEach((name, value) -> checkLine(name + value));
		checked.content().tags().forEach((name, value) -> checkLine(name + value));
		checked.content()
			.attachments()
			.forEach((file) -> checkLine(file.filename() + file.contentType() + file.contentId()));
	}

	private static void checkLine(String text) {
		assertThat(text.chars().noneMatch(EmailAddress::breaksALine)).as(text).isTrue();
	}

}
