package dev.mailroom.standalone.mailbox;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;

import dev.mailroom.worker.smtp.server.SmtpMail;
import jakarta.mail.Header;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;

/**
 * Parses subject, text and HTML of a mail. Parts that cannot be parsed stay empty; the
 * raw mail is always available.
 */
final class MessageReader {

	private static final int MAX_DEPTH = 20;

	private static final Session SESSION = Session.getInstance(settings());

	private final StringBuilder text = new StringBuilder();

	private final StringBuilder html = new StringBuilder();

	private final List<Message.Attachment> attachments = new ArrayList<>();

	private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

	private String subject = "";

	private MessageReader() {
	}

	static Message read(SmtpMail mail, Instant receivedAt) {
		MessageReader reader = new MessageReader();
		try {
			MimeMessage parsed = new MimeMessage(SESSION, new ByteArrayInputStream(mail.content()));
			reader.headers(parsed);
			reader.body(parsed, 0);
		}
		catch (MessagingException | IOException _) {
			// A malformed mail is shown as far as it could be parsed.
		}
		return new Message(UUID.randomUUID().toString(), mail.mailFrom(), mail.rcptTo(), reader.subject, receivedAt,
				reader.text.toString(), reader.html.toString(), reader.headers, List.copyOf(reader.attachments), mail);
	}

	private static Properties settings() {
		Properties properties = new Properties();
		properties.setProperty("mail.mime.allowutf8", "true");
		return properties;
	}

	private void headers(MimeMessage mail) throws MessagingException {
		for (Header header : Collections.list(mail.getAllHeaders())) {
			this.headers.merge(header.getName(), MimeUtility.unfold(header.getValue()).strip(),
					(earlier, later) -> earlier + "\n" + later);
		}
		String value = mail.getSubject();
		this.subject = (value != null) ? value : "";
	}

	private void body(Part part, int depth) throws MessagingException, IOException {
		boolean attached = Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition());
		if (depth > MAX_DEPTH) {
			return;
		}
		if (!attached && part.isMimeType("multipart/*") && part.getContent() instanceof Multipart parts) {
			for (int at = 0; at < parts.getCount(); at++) {
				body(parts.getBodyPart(at), depth + 1);
			}
		}
		else if (attached || !part.isMimeType("text/*")) {
			this.attachments.add(attachment(part));
		}
		else if (part.isMimeType("text/plain") && this.text.isEmpty()) {
			this.text.append(content(part));
		}
		else if (part.isMimeType("text/html") && this.html.isEmpty()) {
			this.html.append(content(part));
		}
		else {
			this.attachments.add(attachment(part));
		}
	}

	private static Message.Attachment attachment(Part part) throws MessagingException, IOException {
		String name = part.getFileName();
		try (InputStream bytes = part.getInputStream()) {
			byte[] content = bytes.readAllBytes();
			return new Message.Attachment((name != null) ? MimeUtility.decodeText(name) : "",
					part.getContentType().replaceAll("(?s)\\s*;.*", ""), content.length, content);
		}
	}

	private static String content(Part part) throws MessagingException, IOException {
		try {
			return (part.getContent() instanceof String content) ? content : "";
		}
		catch (UnsupportedEncodingException _) {
			try (InputStream bytes = part.getInputStream()) {
				return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
			}
		}
	}

}
