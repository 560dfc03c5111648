package dev.mailroom.spring;

import java.util.List;

import dev.mailroom.sdk.Email;
import dev.mailroom.sdk.Mailroom;
import org.jspecify.annotations.Nullable;

import org.springframework.mail.MailSender;
import org.springframework.mail.SimpleMailMessage;

/** Sends mails of text in applications without Jakarta Mail. */
final class SimpleMailSender implements MailSender {

	private final Mailroom mailroom;

	private final @Nullable String from;

	/**
	 * Creates a sender.
	 * @param from the sender of messages without one; null if there is none
	 */
	SimpleMailSender(Mailroom mailroom, @Nullable String from) {
		this.mailroom = mailroom;
		this.from = from;
	}

	@Override
	public void send(SimpleMailMessage... messages) {
		SendFailures.collect(messages, (message) -> this.mailroom.emails().send(email(message)));
	}

	private Email email(SimpleMailMessage message) {
		Email email = new Email().to(list(message.getTo())).cc(list(message.getCc())).bcc(list(message.getBcc()));
		@Nullable String sender = (message.getFrom() != null) ? message.getFrom() : this.from;
		if (sender != null) {
			email.from(sender);
		}
		if (message.getReplyTo() != null) {
			email.replyTo(message.getReplyTo());
		}
		if (message.getSubject() != null) {
			email.subject(message.getSubject());
		}
		return (message.getText() != null) ? email.text(message.getText()) : email;
	}

	private static List<String> list(String @Nullable [] addresses) {
		return (addresses != null) ? List.of(addresses) : List.of();
	}

}
