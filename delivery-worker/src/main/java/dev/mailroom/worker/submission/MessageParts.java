package dev.mailroom.worker.submission;

import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

import dev.mailroom.submission.Submission;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimePart;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.internet.ParseException;
import org.jspecify.annotations.Nullable;

/** What a message is made of: words, their HTML, and files. */
final class MessageParts {

	private static final int DEEPEST = 20;

	private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+");

	private static final Pattern CHARSET = Pattern.compile("[A-Za-z0-9_.:-]+");

	private final MultipartReader multiparts = new MultipartReader();

	private final StringBuilder text = new StringBuilder();

	private final StringBuilder html = new StringBuilder();

	private final List<Submission.@Nullable File> files = new ArrayList<>();

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

	/** Those that the HTML names stand in it; the others are attached. */
	List<Submission.@Nullable File> files() {
		List<Submission.@Nullable File> all = new ArrayList<>();
		for (Submission.File file : this.files) {
			boolean named = file != null && file.contentId() != null
					&& this.html.indexOf("cid:" + file.contentId()) >= 0;
			all.add((file == null || named) ? file
					: new Submission.File(file.filename(), file.content(), file.contentType(), null));
		}
		return all;
	}

	private void read(Part part, int depth) throws MessagingException, IOException {
		if (depth > DEEPEST) {
			throw new MessagingException("it is nested more than " + DEEPEST + " deep");
		}
		if (part.isMimeType("multipart/*")) {
			Multipart parts = this.multiparts.of(part);
			for (int at = 0; at < parts.getCount(); at++) {
				read(parts.getBodyPart(at), depth + 1);
			}
			return;
		}
		boolean words = !Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition()) && part.getFileName() == null;
		if (words && part.isMimeType("text/plain")) {
			this.text.append(words(part));
		}
		else if (words && part.isMimeType("text/html")) {
			this.html.append(words(part));
		}
		else {
			this.files.add(file(part));
		}
	}

	private static String words(Part part) throws MessagingException, IOException {
		try {
			return (part.getContent() instanceof String words) ? words.replace("\r\n", "\n") : "";
		}
		catch (UnsupportedEncodingException _) {
			try (InputStream bytes = part.getInputStream()) {
				return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
			}
		}
	}

	private Submission.File file(Part part) throws MessagingException, IOException {
		@Nullable String name = part.getFileName();
		String shown = (name != null) ? MimeUtility.decodeText(name) : "attachment-" + (this.files.size() + 1);
		@Nullable String id = (part instanceof MimePart mime) ? mime.getContentID() : null;
		try (InputStream bytes = part.getInputStream()) {
			return new Submission.File(shown, Base64.getEncoder().encodeToString(bytes.readAllBytes()), type(part),
					(id != null) ? id.strip().replaceAll("^<|>$", "") : null);
		}
	}

	private static @Nullable String type(Part part) throws MessagingException {
		try {
			ContentType type = new ContentType(part.getContentType());
			@Nullable String charset = type.getParameter("charset");
			boolean plain = charset != null && CHARSET.matcher(charset).matches();
			String base = type.getBaseType();
			return !TYPE.matcher(base).matches() ? null : base + (plain ? "; charset=" + charset : "");
		}
		catch (ParseException _) {
			return null;
		}
	}

}
