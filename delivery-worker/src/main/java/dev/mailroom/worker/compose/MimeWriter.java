package dev.mailroom.worker.compose;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

import dev.mailroom.mail.queue.Attachment;
import dev.mailroom.mail.queue.StoredMail;
import org.jspecify.annotations.Nullable;

/**
 * Writes a mail in the format of RFC 5322 and MIME. Message-ID, Date and boundaries are
 * derived from the mail, so that the result is the same for each attempt. Addresses that
 * are not ASCII are written in UTF-8 (RFC 6532).
 */
final class MimeWriter {

	private static final int INITIAL_SIZE = 2048;

	/** RFC 5322 date in UTC. */
	private static final DateTimeFormatter DATE = DateTimeFormatter
		.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private static final Pattern CONTENT_ID = Pattern.compile("[\\x21-\\x7e&&[^<>]]{1,250}");

	private final UUID id;

	private final StoredMail mail;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream(INITIAL_SIZE);

	private int multiparts;

	private MimeWriter(UUID id, StoredMail mail) {
		this.id = id;
		this.mail = mail;
	}

	/** The message: complete lines, each terminated by CRLF. */
	static byte[] write(UUID id, StoredMail mail) {
		try {
			ComposeLimits.check(mail);
			return new MimeWriter(id, mail).message();
		}
		catch (Unrenderable ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// An unexpected error would occur at each attempt.
			throw new Unrenderable("The message cannot be composed", ex);
		}
	}

	private byte[] message() {
		String from = this.mail.sender();
		field("Date", DATE.format(this.mail.createdAt()));
		field("From", AddressText.of(from));
		addresses("Reply-To", this.mail.replyTo());
		addresses("To", this.mail.to());
		addresses("Cc", this.mail.cc());
		field("Message-ID", "<" + this.id + "@" + AddressText.mailbox(from).address().domain() + ">");
		field("Subject", HeaderText.of("Subject", this.mail.subject()));
		further();
		field("MIME-Version", "1.0");
		mixed();
		byte[] message = this.out.toByteArray();
		if (message[message.length - 1] != '\n') {
			line("");
			return this.out.toByteArray();
		}
		return message;
	}

	/** Further fields; of those with the same name, the last one is written. */
	private void further() {
		if (this.mail.headers().isEmpty()) {
			return;
		}
		Map<String, String> last = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		this.mail.headers().forEach((name, value) -> last.put(HeaderText.name(name), value));
		for (Map.Entry<String, String> header : this.mail.headers().entrySet()) {
			if (last.containsKey(header.getKey())) {
				String value = Objects.requireNonNull(last.remove(header.getKey()), header.getKey());
				field(header.getKey(), HeaderText.of(header.getKey(), value));
			}
		}
	}

	private void addresses(String name, List<String> mailboxes) {
		if (!mailboxes.isEmpty()) {
			field(name, AddressText.of(mailboxes));
		}
	}

	/**
	 * Content as multipart/mixed with attachments, multipart/related with inline parts
	 * and multipart/alternative with text and HTML, as far as necessary.
	 */
	private void mixed() {
		List<Attachment> attached = this.mail.attachments()
			.stream()
			.filter((file) -> file.contentId() == null)
			.toList();
		if (attached.isEmpty()) {
			related();
			return;
		}
		String boundary = multipart("mixed");
		delimiter(boundary);
		related();
		for (Attachment file : attached) {
			nextDelimiter(boundary);
			file(FilePart.of(file), "attachment", null);
		}
		closeDelimiter(boundary);
	}

	private void related() {
		List<Attachment> inline = this.mail.attachments().stream().filter((file) -> file.contentId() != null).toList();
		if (inline.isEmpty()) {
			bodies();
			return;
		}
		String boundary = multipart("related; type=\"" + bodyType() + "\"");
		delimiter(boundary);
		bodies();
		for (Attachment file : inline) {
			nextDelimiter(boundary);
			file(FilePart.of(file), "inline", contentId(file));
		}
		closeDelimiter(boundary);
	}

	/** Type of the bodies, for multipart/related (RFC 2387). */
	private String bodyType() {
		return (this.mail.html() == null) ? "text/plain"
				: (this.mail.text() != null) ? "multipart/alternative" : "text/html";
	}

	private void bodies() {
		@Nullable String text = this.mail.text();
		@Nullable String html = this.mail.html();
		if (text != null && html != null) {
			String boundary = multipart("alternative");
			delimiter(boundary);
			body(text, "plain");
			nextDelimiter(boundary);
			body(html, "html");
			closeDelimiter(boundary);
		}
		else if (html != null) {
			body(html, "html");
		}
		else {
			body((text != null) ? text : "", "plain");
		}
	}

	private void body(String text, String subtype) {
		BodyText body = BodyText.of(text);
		ComposeLimits.checkLines(body.lines());
		field("Content-Type", "text/" + subtype + "; charset=UTF-8");
		field("Content-Transfer-Encoding", body.encoding());
		line("");
		body.writeTo(this.out);
	}

	private void file(FilePart part, String disposition, @Nullable String contentId) {
		field("Content-Type", part.type());
		field("Content-Transfer-Encoding", part.encoding());
		if (contentId != null) {
			field("Content-ID", "<" + contentId + ">");
		}
		field("Content-Disposition", ParameterText.disposition(disposition, part.filename()));
		line("");
		this.out.writeBytes(part.content());
	}

	/** Checked again, because it could end the line or the name. */
	private static String contentId(Attachment file) {
		String id = String.valueOf(file.contentId());
		if (!CONTENT_ID.matcher(id).matches()) {
			throw new Unrenderable("The content id of an inline part is invalid");
		}
		return id;
	}

	/** Begins a multipart and returns its boundary. */
	private String multipart(String subtype) {
		String boundary = "=_" + this.id + "_" + this.multiparts++;
		field("Content-Type", "multipart/" + subtype + ";\r\n boundary=\"" + boundary + "\"");
		line("");
		return boundary;
	}

	private void delimiter(String boundary) {
		line("--" + boundary);
	}

	private void nextDelimiter(String boundary) {
		line("\r\n--" + boundary);
	}

	private void closeDelimiter(String boundary) {
		line("\r\n--" + boundary + "--");
	}

	private void field(String name, String value) {
		line(name + ": " + value);
	}

	private void line(String text) {
		this.out.writeBytes((text + "\r\n").getBytes(StandardCharsets.UTF_8));
	}

}
