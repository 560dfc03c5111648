package dev.mailroom.spring.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.mailroom.sdk.Email;
import dev.mailroom.sdk.Emails;
import dev.mailroom.sdk.Mailroom;
import dev.mailroom.sdk.MailroomException;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.mail.MailParseException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest
@MailroomTest
class MailroomTestTest {

	@Autowired
	Outbox outbox;

	@Autowired
	Mailroom mailroom;

	@Autowired
	JavaMailSender sender;

	@Test
	void aMessageIsInTheOutboxWithAllOfItsParts() throws MessagingException {
		MimeMessage message = message("Ann <ann@x.test>");
		this.sender.send(message);
		this.sender.send(message);
		TestMail mail = this.outbox.waitFor("ann@x.test");
		mail.hasSubject("Reset – now").hasLink("/reset/").hasText("Grüße").hasAttachment("a.txt");
		assertThat(mail.code("code (\\d{6})")).isEqualTo("123456");
		assertThat(mail.links()).containsExactly("https://x.test/reset/1?a=b&c=d", "https://x.test/text");
		assertThat(mail.recipients()).containsExactly("ann@x.test", "hidden@x.test");
		assertThat(mail.headers()).containsEntry("x-order", "17");
		assertThat(this.outbox.mails()).hasSize(1);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> mail.hasSubject("Other"));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> mail.hasLink("/none"));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.outbox.waitFor("bob@x.test", Duration.ofMillis(1)))
			.withMessageContaining("[[ann@x.test, hidden@x.test]]");
	}

	@Test
	void theClientSendsIntoTheOutbox() {
		Email valid = new Email().from("a@x.test").to("one@x.test").subject("Hi").html("<a href='/x'>x</a>");
		List<Emails.Outcome> outcomes = this.mailroom.emails().sendBatch(List.of(valid, new Email().from("a@x.test")));
		assertThat(outcomes.get(0)).isInstanceOf(Emails.Sent.class);
		assertThat(outcomes.get(1)).isInstanceOf(Emails.Rejected.class);
		Mailroom once = this.mailroom.with((options) -> options.withIdempotencyKey("k"));
		assertThat(once.emails().send(valid).id()).isEqualTo(once.emails().send(valid).id());
		assertThat(this.outbox.mails()).hasSize(2);
		assertThat(this.mailroom.key().current().apiKey().keyName()).isEqualTo("outbox");
		assertThatExceptionOfType(MailroomException.NotFound.class)
			.isThrownBy(() -> this.mailroom.domains().list().first());
	}

	@Test
	void mailsThatTheApiRefusesAreRefused() throws MessagingException {
		String many = String.join(", ", IntStream.range(0, 51).mapToObj((it) -> it + "@x.test").toList());
		MimeMessage message = message("ann@x.test");
		message.setRecipients(RecipientType.TO, many);
		assertThatExceptionOfType(MailParseException.class).isThrownBy(() -> this.sender.send(message))
			.withMessageContaining("more than 50 recipients");
		assertThatExceptionOfType(MailroomException.InvalidRequest.class)
			.isThrownBy(() -> this.mailroom.emails().send((mail) -> mail.from("a@x.test").to("no address")))
			.satisfies((ex) -> assertThat(ex.details()).extracting(MailroomException.FieldError::field)
				.containsExactly("to[0]", "subject", "html"));
		assertThat(this.outbox.mails()).isEmpty();
	}

	private MimeMessage message(String to) throws MessagingException {
		MimeMessage message = this.sender.createMimeMessage();
		MimeMessageHelper mail = new MimeMessageHelper(message, true);
		mail.setFrom("Shop <shop@x.test>");
		mail.setTo(to);
		mail.setBcc("hidden@x.test");
		mail.setSubject("Reset – now");
		mail.setText("Grüße, code 123456, https://x.test/text.",
				"<a href=\"https://x.test/reset/1?a=b&amp;c=d\">Grüße</a>");
		mail.addAttachment("a.txt", new ByteArrayResource("A note.".getBytes(StandardCharsets.UTF_8)));
		message.setHeader("X-Order", "17");
		return message;
	}

	@Configuration
	@EnableAutoConfiguration
	static class Application {

	}

}
