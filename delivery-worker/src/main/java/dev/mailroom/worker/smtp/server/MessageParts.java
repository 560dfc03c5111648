package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

import dev.mailroom.mail.draft.MailContent.Attachment;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimePart;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.internet.ParseException;
import org.jspecify.annotations.Nullable;

/** Text, HTML and attachments of a message. */
final class MessageParts {

	private static final int MAX_DEPTH = 20;

	private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+");

	private static final Pattern CHARSET = Pattern.compile("[A-Za-z0-9_.:-]+");

	private final MultipartReader reader = new MultipartReader();

	private final StringBuilder text = new StringBuilder();

	private final StringBuilder html = new StringBuilder();

	private final List<Attachment> files = new ArrayList<>();

	private MessageParts() {
	}

	static MessageParts of(MimeMessage message) throws MessagingException, IOException {
		MessageParts parts = new MessageParts();
		parts.read(message, 0);
		return parts;
	}

	String text() {
		return this.text.toString();
	}

	String html() {
		return this.html.toString();
	}

	/** Attachments; those whose content id the HTML uses are inline. */
	List<Attachment> files() {
		return this.files.stream().map((file) -> isInline(file) ? file : file.withoutContentId()).toList();
	}

	private boolean isInline(Attachment file) {
		return file.contentId() != null && this.html.indexOf("cid:" + file.contentId()) >= 0;
	}

	private void read(Part part, int depth) throws MessagingException, IOException {
		if (depth > MAX_DEPTH) {
			throw new MessagingException("it is nested more than " + MAX_DEPTH + " deep");
		}
		if (part.isMimeType("multipart/*")) {
			Multipart parts = this.reader.parts(part);
			for (int at = 0; at < parts.getCount(); at++) {
				read(parts.getBodyPart(at), depth + 1);
			}
			return;
		}
		boolean isBody = !Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition()) && part.getFileName() == null;
		if (isBody && part.isMimeType("text/plain")) {
			this.text.append(text(part));
		}
		else if (isBody && part.isMimeType("text/html")) {
			this.html.append(text(part));
		}
		else {
			this.files.add(file(part));
		}
	}

	private static String text(Part part) throws MessagingException, IOException {
		try {
			return (part.getContent() instanceof String text) ? text.replace("\r\n", "\n") : "";
		}
		catch (UnsupportedEncodingException _) {
			try (InputStream bytes = part.getInputStream()) {
				return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
			}
		}
	}

	private Attachment file(Part part) throws MessagingException, IOException {
		@Nullable String name = part.getFileName();
		String decoded = (name != null) ? MimeUtility.decodeText(name) : "attachment-" + (this.files.size() + 1);
		@Nullable String id = (part instanceof MimePart mime) ? mime.getContentID() : null;
		try (InputStream bytes = part.getInputStream()) {
			return Attachment.of(decoded, type(part), (id != null) ? id.strip().replaceAll("^<|>$", "") : null,
					Base64.getEncoder().encodeToString(bytes.readAllBytes()));
		}
	}

	/** The content type with its charset; null if it cannot be used. */
	private static @Nullable String type(Part part) throws MessagingException {
		try {
			ContentType type = new ContentType(part.getContentType());
			@Nullable String charset = type.getParameter("charset");
			boolean hasCharset = charset != null && CHARSET.matcher(charset).matches();
			String base = type.getBaseType();
			return !TYPE.matcher(base).matches() ? null : base + (hasCharset ? "; charset=" + charset : "");
		}
		catch (ParseException _) {
			return null;
		}
	}

}
