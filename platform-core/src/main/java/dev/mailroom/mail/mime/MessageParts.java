package dev.mailroom.mail.mime;

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
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimePart;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.internet.ParseException;
import jakarta.mail.util.SharedByteArrayInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Text, HTML and attachments of a message. The size of headers and the number of parts
 * are limited: the mail library has no such limits, and its objects take many times the
 * size of the text.
 */
final class MessageParts {

	private static final int MAX_DEPTH = 20;

	private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+");

	private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.:-]+");

	private static final int MAX_PARTS = 200;

	/** Bytes of the header section of a message or a part. */
	private static final int MAX_HEADER_LENGTH = 100_000;

	/** The empty line after a header; programs that use no SMTP end lines with LF. */
	private static final Pattern HEADER_END = Pattern.compile("\n\r?\n");

	private final StringBuilder text = new StringBuilder();

	private final StringBuilder html = new StringBuilder();

	private final List<Attachment> files = new ArrayList<>();

	private int partCount;

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
		if (part.isMimeType("multipart/signed") || part.isMimeType("multipart/encrypted")) {
			throw new MessagingException("it is signed or encrypted (S/MIME, OpenPGP), and its parts are written anew. "
					+ "Send it without, or with the protected message as an attachment");
		}
		if (part.isMimeType("multipart/*")) {
			Multipart parts = new BoundedMultipart(part);
			for (int at = 0; at < parts.getCount(); at++) {
				read(parts.getBodyPart(at), depth + 1);
			}
			return;
		}
		boolean isBody = !Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition()) && part.getFileName() == null;
		if (isBody && part.isMimeType("text/plain")) {
			append(this.text, text(part));
		}
		else if (isBody && part.isMimeType("text/html")) {
			append(this.html, text(part));
		}
		else {
			this.files.add(file(part));
		}
	}

	/** Joins texts at a line end. */
	private static void append(StringBuilder texts, String text) {
		if (!texts.isEmpty() && texts.charAt(texts.length() - 1) != '\n') {
			texts.append('\n');
		}
		texts.append(text);
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
		String decoded = (name != null) ? MimeUtility.decodeText(name)
				: part.isMimeType("text/calendar") ? "invite.ics" : "attachment-" + (this.files.size() + 1);
		@Nullable String id = (part instanceof MimePart mime) ? mime.getContentID() : null;
		try (InputStream bytes = part.getInputStream()) {
			return Attachment.of(decoded, type(part), (id != null) ? id.strip().replaceAll("^<|>$", "") : null,
					Base64.getEncoder().encodeToString(bytes.readAllBytes()));
		}
	}

	/**
	 * The content type with its charset and the method of an invitation (RFC 6047), which
	 * clients require to show it; null if it cannot be used.
	 */
	private static @Nullable String type(Part part) throws MessagingException {
		try {
			ContentType type = new ContentType(part.getContentType());
			String base = type.getBaseType();
			String method = type.match("text/calendar") ? parameter(type, "method") : "";
			return !TYPE.matcher(base).matches() ? null : base + parameter(type, "charset") + method;
		}
		catch (ParseException _) {
			return null;
		}
	}

	private static String parameter(ContentType type, String name) {
		@Nullable String value = type.getParameter(name);
		return (value != null && TOKEN.matcher(value).matches()) ? "; " + name + "=" + value : "";
	}

	/**
	 * A message's bytes as a stream that its parts share without copying.
	 * @throws MessagingException if its header is too long
	 */
	static InputStream stream(byte[] content) throws MessagingException {
		SharedByteArrayInputStream shared = new SharedByteArrayInputStream(content);
		checkHeaderLength(shared.newStream(0, -1));
		return shared;
	}

	private static void checkHeaderLength(InputStream in) throws MessagingException {
		try (in) {
			byte[] start = in.readNBytes(MAX_HEADER_LENGTH);
			if (start.length == MAX_HEADER_LENGTH
					&& !HEADER_END.matcher(new String(start, StandardCharsets.ISO_8859_1)).find() && start[0] != '\r'
					&& start[0] != '\n') {
				throw new MessagingException("a header is longer than " + MAX_HEADER_LENGTH + " bytes");
			}
		}
		catch (IOException ex) {
			throw new MessagingException("a header cannot be read", ex);
		}
	}

	private final class BoundedMultipart extends MimeMultipart {

		BoundedMultipart(Part part) throws MessagingException {
			super(part.getDataHandler().getDataSource());
		}

		@Override
		protected MimeBodyPart createMimeBodyPart(InputStream in) throws MessagingException {
			if (++MessageParts.this.partCount > MAX_PARTS) {
				throw new MessagingException("it has more than " + MAX_PARTS + " parts");
			}
			if (in instanceof SharedByteArrayInputStream shared) {
				checkHeaderLength(shared.newStream(0, -1));
			}
			return super.createMimeBodyPart(in);
		}

	}

}
