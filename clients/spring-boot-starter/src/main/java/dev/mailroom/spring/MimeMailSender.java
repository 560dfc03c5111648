package dev.mailroom.spring;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.stream.Collectors;

import dev.mailroom.sdk.Mailroom;
import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.mail.MailParseException;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;
import org.springframework.mail.javamail.MimeMailMessage;

/**
 * Sends messages over the route for MIME. A message that is sent again, with the same
 * Message-ID and recipients, is one mail.
 */
final class MimeMailSender implements JavaMailSender {

	static final String MIME = "jakarta.mail.internet.MimeMessage";

	/** Creates messages as that of Spring does; it sends none. */
	private final JavaMailSenderImpl messages = new JavaMailSenderImpl();

	private final Mailroom mailroom;

	private final @Nullable String from;

	/**
	 * Creates a sender.
	 * @param from the sender of messages without one; null if there is none
	 */
	MimeMailSender(Mailroom mailroom, @Nullable String from) {
		this.mailroom = mailroom;
		this.from = from;
		this.messages.setDefaultEncoding(StandardCharsets.UTF_8.name());
	}

	@Override
	public MimeMessage createMimeMessage() {
		return this.messages.createMimeMessage();
	}

	@Override
	public MimeMessage createMimeMessage(InputStream content) {
		return this.messages.createMimeMessage(content);
	}

	@Override
	public void send(SimpleMailMessage... messages) {
		SendFailures.collect(messages, (message) -> {
			MimeMailMessage mime = new MimeMailMessage(createMimeMessage());
			message.copyTo(mime);
			sendOne(mime.getMimeMessage());
		});
	}

	@Override
	public void send(MimeMessage... messages) {
		SendFailures.collect(messages, this::sendOne);
	}

	private void sendOne(MimeMessage message) {
		ByteArrayOutputStream content = new ByteArrayOutputStream();
		String key;
		try {
			complete(message);
			key = key(message);
			message.writeTo(content);
		}
		catch (MessagingException | IOException ex) {
			throw new MailParseException(ex);
		}
		this.mailroom.with((options) -> options.withIdempotencyKey(key)).emails().sendMime(content.toByteArray());
	}

	/** Adds what is missing. The Message-ID is kept, which saving would replace. */
	private void complete(MimeMessage message) throws MessagingException {
		if (message.getSentDate() == null) {
			message.setSentDate(Date.from(Instant.now()));
		}
		if (this.from != null && message.getHeader("From") == null) {
			message.setFrom(this.from);
		}
		@Nullable String id = message.getMessageID();
		message.saveChanges();
		if (id != null) {
			message.setHeader("Message-ID", id);
		}
	}

	/**
	 * The recipients as well: a program may change them and send the message to others.
	 */
	private static String key(MimeMessage message) throws MessagingException {
		Address @Nullable [] recipients = message.getAllRecipients();
		String addresses = (recipients == null) ? "" : Arrays.stream(recipients)
			.map((address) -> (address instanceof InternetAddress mailbox) ? mailbox.getAddress() : address.toString())
			.sorted()
			.collect(Collectors.joining(" "));
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256")
				.digest((message.getMessageID() + " " + addresses).getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-256 is part of every JDK", ex);
		}
	}

}
