package dev.mailroom.worker.compose;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.regex.Pattern;

import dev.mailroom.queue.Attachment;
import dev.mailroom.queue.Mail;
import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import org.jspecify.annotations.Nullable;

/**
 * Writes a mail in the format of RFC 5322 and MIME. Message-ID, Date and boundaries are
 * derived from the mail, so that the result is the same for each attempt.
 */
final class MimeWriter {

	private static final Session SESSION = session();

	/** RFC 5322 date in UTC. */
	private static final DateTimeFormatter DATE = DateTimeFormatter
		.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private static final Pattern CONTENT_ID = Pattern.compile("[\\x21-\\x7e&&[^<>]]{1,250}");

	private final UUID id;

	private final Mail mail;

	private int multiparts;

	private MimeWriter(UUID id, Mail mail) {
		this.id = id;
		this.mail = mail;
	}

	/** Permits UTF-8 in the header for addresses that are not ASCII (RFC 6532). */
	private static Session session() {
		Properties properties = new Properties();
		properties.setProperty("mail.mime.allowutf8", "true");
		return Session.getInstance(properties);
	}

	/** The message: complete lines, each terminated by CRLF. */
	static byte[] write(UUID id, Mail mail) {
		try {
			MimeMessage message = new MimeWriter(id, mail).message();
			ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
			message.writeTo(bytes);
			return bytes.toByteArray();
		}
		catch (MessagingException | IOException ex) {
			throw new Unrenderable("The message cannot be composed: " + ex.getMessage(), ex);
		}
		catch (Unrenderable ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// An unexpected error of the mail library would occur at each attempt.
			throw new Unrenderable("The message cannot be composed", ex);
		}
	}

	private MimeMessage message() throws MessagingException {
		String from = this.mail.sender();
		MimeMessage message = new FixedMessage(
				"<" + this.id + "@" + AddressText.mailbox(from).address().domain() + ">");
		message.setHeader("From", AddressText.of(from));
		addresses(message, "To", this.mail.to());
		addresses(message, "Cc", this.mail.cc());
		addresses(message, "Reply-To", this.mail.replyTo());
		message.setHeader("Subject", HeaderText.of("Subject", this.mail.subject()));
		message.setHeader("Date", DATE.format(this.mail.createdAt()));
		for (Map.Entry<String, String> header : this.mail.headers().entrySet()) {
			String name = HeaderText.name(header.getKey());
			message.setHeader(name, HeaderText.of(name, header.getValue()));
		}
		content(message);
		message.saveChanges();
		return message;
	}

	/**
	 * Content as multipart/mixed with attachments, multipart/related with inline parts
	 * and multipart/alternative with text and HTML, as far as necessary.
	 */
	private void content(Part part) throws MessagingException {
		List<Attachment> attached = this.mail.attachments()
			.stream()
			.filter((file) -> file.contentId() == null)
			.toList();
		if (attached.isEmpty()) {
			related(part);
			return;
		}
		MimeMultipart mixed = multipart("mixed");
		MimeBodyPart body = new MimeBodyPart();
		related(body);
		mixed.addBodyPart(body);
		for (Attachment file : attached) {
			mixed.addBodyPart(FilePart.of(file, Part.ATTACHMENT));
		}
		part.setContent(mixed);
	}

	private void related(Part part) throws MessagingException {
		List<Attachment> inline = this.mail.attachments().stream().filter((file) -> file.contentId() != null).toList();
		if (inline.isEmpty()) {
			bodies(part);
			return;
		}
		MimeBodyPart body = new MimeBodyPart();
		String root = bodies(body);
		MimeMultipart related = multipart("related; type=\"" + root + "\"");
		related.addBodyPart(body);
		for (Attachment file : inline) {
			MimeBodyPart shown = FilePart.of(file, Part.INLINE);
			shown.setContentID("<" + contentId(file) + ">");
			related.addBodyPart(shown);
		}
		part.setContent(related);
	}

	/** Looked at once more: it could end the line, or the name. */
	private static String contentId(Attachment file) {
		String id = String.valueOf(file.contentId());
		if (!CONTENT_ID.matcher(id).matches()) {
			throw new Unrenderable("The content id of an inline part is invalid");
		}
		return id;
	}

	/** Adds the bodies and returns their type, for multipart/related (RFC 2387). */
	private String bodies(Part part) throws MessagingException {
		@Nullable String text = this.mail.text();
		@Nullable String html = this.mail.html();
		if (text != null && html != null) {
			MimeMultipart alternative = multipart("alternative");
			alternative.addBodyPart(text(text, "plain"));
			alternative.addBodyPart(text(html, "html"));
			part.setContent(alternative);
			return "multipart/alternative";
		}
		if (html != null) {
			setText(part, html, "html");
			return "text/html";
		}
		setText(part, (text != null) ? text : "", "plain");
		return "text/plain";
	}

	private static MimeBodyPart text(String text, String subtype) throws MessagingException {
		MimeBodyPart part = new MimeBodyPart();
		setText(part, text, subtype);
		return part;
	}

	private static void setText(Part part, String text, String subtype) throws MessagingException {
		String lines = text.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\r\n");
		part.setContent(lines, "text/" + subtype + "; charset=UTF-8");
		part.setHeader("Content-Type", "text/" + subtype + "; charset=UTF-8");
	}

	private MimeMultipart multipart(String subtype) {
		return new FixedMultipart(subtype, "=_" + this.id + "_" + this.multiparts++);
	}

	private static void addresses(Part message, String name, List<String> mailboxes) throws MessagingException {
		if (!mailboxes.isEmpty()) {
			message.setHeader(name, AddressText.of(mailboxes));
		}
	}

	/** A message with a fixed Message-ID, which the library would regenerate. */
	private static final class FixedMessage extends MimeMessage {

		private final String messageId;

		FixedMessage(String messageId) {
			super(SESSION);
			this.messageId = messageId;
		}

		@Override
		protected void updateMessageID() throws MessagingException {
			setHeader("Message-ID", this.messageId);
		}

	}

	/** A multipart with a fixed boundary, which the library would regenerate. */
	private static final class FixedMultipart extends MimeMultipart {

		FixedMultipart(String subtype, String boundary) {
			super(subtype);
			this.contentType = "multipart/" + subtype + ";\r\n boundary=\"" + boundary + "\"";
		}

	}

}
