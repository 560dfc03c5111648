package dev.mailroom.spring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import dev.mailroom.sdk.CallOptions;
import dev.mailroom.sdk.Mailroom;
import dev.mailroom.sdk.MailroomException;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.mail.MailAuthenticationException;
import org.springframework.mail.MailParseException;
import org.springframework.mail.MailSendException;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.MimeMessageHelper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MimeMailSenderTest {

	private Server server;

	private MimeMailSender sender;

	@BeforeEach
	void start() throws IOException {
		this.server = new Server();
		this.sender = new MimeMailSender(Mailroom.builder()
			.apiKey("ek_aaaaaaaaaaaa_key")
			.url(this.server.properties()[2].substring("mailroom.url=".length()))
			.options(CallOptions.DEFAULT.withRetries(0))
			.build(), "Shop <hello@shop.test>");
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void aMessageIsSentWithAllOfItsParts() throws MessagingException {
		MimeMessage message = this.sender.createMimeMessage();
		MimeMessageHelper helper = new MimeMessageHelper(message, true);
		helper.setTo("Ann <ann@example.test>");
		helper.setBcc("hidden@example.test");
		helper.setSubject("Schön");
		helper.setText("Grüße", "<p>Grüße</p>");
		helper.addAttachment("note.txt", new ByteArrayResource("A note.".getBytes(StandardCharsets.UTF_8)));
		this.sender.send(message);
		Server.Request request = this.server.requests.get(0);
		assertThat(request.uri()).isEqualTo("/api/emails/mime");
		assertThat(request.headers().getFirst("Content-Type")).isEqualTo("message/rfc822");
		assertThat(request.body()).contains("From: Shop <hello@shop.test>", "To: Ann <ann@example.test>",
				"Bcc: hidden@example.test", "Message-ID: ", "Date: ", "text/html;charset=UTF-8", "filename=note.txt");
	}

	@Test
	void aMessageThatIsSentAgainHasTheSameKeyUnlessItsRecipientsChange() throws MessagingException {
		MimeMessage message = message();
		this.sender.send(message);
		this.sender.send(message);
		message.setRecipient(RecipientType.TO, new InternetAddress("bob@example.test"));
		this.sender.send(message);
		this.sender.send(message());
		assertThat(this.server.requests).extracting(Server.Request::key).allMatch((key) -> key.matches("[0-9a-f]{64}"));
		assertThat(this.server.requests.get(1)).extracting(Server.Request::key, Server.Request::body)
			.containsExactly(this.server.requests.get(0).key(), this.server.requests.get(0).body());
		assertThat(this.server.requests.stream().map(Server.Request::key).distinct()).hasSize(3);
	}

	@Test
	void errorsAreThoseOfSpring() throws MessagingException {
		SimpleMailMessage mail = new SimpleMailMessage();
		mail.setTo("ann@example.test");
		mail.setText("Hello");
		this.server.refuse(401, "unauthorized");
		assertThatExceptionOfType(MailAuthenticationException.class).isThrownBy(() -> this.sender.send(mail, mail))
			.withCauseInstanceOf(MailroomException.Unauthenticated.class);
		this.server.refuse(400, "validation_error");
		assertThatExceptionOfType(MailParseException.class).isThrownBy(() -> this.sender.send(mail));
		MimeMessage first = message();
		MimeMessage second = message();
		assertThatExceptionOfType(MailSendException.class).isThrownBy(() -> this.sender.send(first, second))
			.satisfies((ex) -> assertThat(ex.getFailedMessages()).containsOnlyKeys(first, second)
				.hasEntrySatisfying(first, (it) -> assertThat(it).isInstanceOf(MailParseException.class)));
		this.server.refuse(503, "service_unavailable");
		assertThatExceptionOfType(MailSendException.class).isThrownBy(() -> this.sender.send(mail))
			.satisfies((ex) -> assertThat(ex.getFailedMessages().get(mail))
				.isInstanceOf(MailroomException.ServerFailure.class));
		this.server.close();
		assertThatExceptionOfType(MailSendException.class).isThrownBy(() -> this.sender.send(first));
	}

	private MimeMessage message() throws MessagingException {
		MimeMessage message = this.sender.createMimeMessage();
		message.setRecipient(RecipientType.TO, new InternetAddress("ann@example.test"));
		message.setSubject("Hello");
		message.setText("It works.");
		return message;
	}

}
