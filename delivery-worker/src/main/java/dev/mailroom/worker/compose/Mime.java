package dev.mailroom.worker.compose;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

import dev.mailroom.mail.queue.StoredMail;
import org.jspecify.annotations.Nullable;

/**
 * Writes a mail in the format of RFC 5322 and MIME. Message-ID, Date and boundaries are
 * derived from the mail: each attempt has the same bytes. Addresses that are not ASCII
 * are written in UTF-8 (RFC 6532).
 */
final class Mime {

	private static final int INITIAL_SIZE = 2048;

	/** RFC 5322 date in UTC. */
	private static final DateTimeFormatter DATE = DateTimeFormatter
		.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private static final Pattern CONTENT_ID = Pattern.compile("[\\x21-\\x7e&&[^<>]]{1,250}");

	private final UUID id;

	private final StoredMail mail;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream(INITIAL_SIZE);

	private static final Pattern INVITATION = Pattern.compile("text/calendar\\s*;(.*;)?\\s*method=.*",
			Pattern.CASE_INSENSITIVE);

	private int multiparts;

	private Mime(UUID id, StoredMail mail) {
		this.id = id;
		this.mail = mail;
	}

	/** The message: complete lines, each terminated by CRLF. */
	static byte[] write(UUID id, StoredMail mail) {
		try {
			ComposeLimits.check(mail);
			return new Mime(id, mail).message();
		}
		catch (Composer.Unrenderable ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// An unexpected error would occur at each attempt.
			throw new Composer.Unrenderable("The message cannot be composed", ex);
		}
	}

	private byte[] message() {
		String from = this.mail.sender();
		field("Date", DATE.format(this.mail.createdAt()));
		field("From", Headers.address(from));
		addresses("Reply-To", this.mail.replyTo());
		addresses("To", this.mail.to());
		addresses("Cc", this.mail.cc());
		field("Message-ID", "<" + this.id + "@" + Headers.mailbox(from).address().domain() + ">");
		field("Subject", Headers.value("Subject", this.mail.subject()));
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
		this.mail.headers().forEach((name, value) -> last.put(Headers.name(name), value));
		for (Map.Entry<String, String> header : this.mail.headers().entrySet()) {
			if (last.containsKey(header.getKey())) {
				String value = Objects.requireNonNull(last.remove(header.getKey()), header.getKey());
				field(header.getKey(), Headers.value(header.getKey(), value));
			}
		}
	}

	private void addresses(String name, List<String> mailboxes) {
		if (!mailboxes.isEmpty()) {
			field(name, Headers.addresses(mailboxes));
		}
	}

	/**
	 * Content as multipart/mixed with attachments, multipart/related with inline parts
	 * and multipart/alternative with text and HTML, as far as necessary.
	 */
	private void mixed() {
		List<StoredMail.Attachment> attached = this.mail.attachments()
			.stream()
			.filter((file) -> file.contentId() == null && !isInvitation(file))
			.toList();
		if (attached.isEmpty()) {
			related();
			return;
		}
		String boundary = multipart("mixed");
		delimiter(boundary);
		related();
		for (StoredMail.Attachment file : attached) {
			nextDelimiter(boundary);
			file(FilePart.of(file), "attachment", null);
		}
		closeDelimiter(boundary);
	}

	private void related() {
		List<StoredMail.Attachment> inline = this.mail.attachments()
			.stream()
			.filter((file) -> file.contentId() != null)
			.toList();
		if (inline.isEmpty()) {
			bodies();
			return;
		}
		String boundary = multipart("related; type=\"" + bodyType() + "\"");
		delimiter(boundary);
		bodies();
		for (StoredMail.Attachment file : inline) {
			nextDelimiter(boundary);
			file(FilePart.of(file), "inline", contentId(file));
		}
		closeDelimiter(boundary);
	}

	/** Type of the bodies, for multipart/related (RFC 2387). */
	private String bodyType() {
		boolean alternative = (this.mail.html() != null && this.mail.text() != null)
				|| this.mail.attachments().stream().anyMatch(Mime::isInvitation);
		return alternative ? "multipart/alternative" : (this.mail.html() != null) ? "text/html" : "text/plain";
	}

	private void bodies() {
		@Nullable String text = this.mail.text();
		@Nullable String html = this.mail.html();
		List<StoredMail.Attachment> invitations = this.mail.attachments().stream().filter(Mime::isInvitation).toList();
		if ((text != null && html != null) || !invitations.isEmpty()) {
			String boundary = multipart("alternative");
			delimiter(boundary);
			if (text != null || html == null) {
				body((text != null) ? text : "", "plain");
			}
			if (text != null && html != null) {
				nextDelimiter(boundary);
			}
			if (html != null) {
				body(html, "html");
			}
			for (StoredMail.Attachment invitation : invitations) {
				nextDelimiter(boundary);
				file(FilePart.of(invitation), "inline", null);
			}
			closeDelimiter(boundary);
		}
		else if (html != null) {
			body(html, "html");
		}
		else {
			body((text != null) ? text : "", "plain");
		}
	}

	/**
	 * Whether a file is an alternative of the bodies: an invitation, which clients show
	 * instead of them (RFC 6047 section 2.4).
	 */
	private static boolean isInvitation(StoredMail.Attachment file) {
		return file.contentId() == null && INVITATION.matcher(file.contentType()).matches();
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
		field("Content-Disposition", Headers.disposition(disposition, part.filename()));
		line("");
		this.out.writeBytes(part.content());
	}

	/** Checked again, because it could end the line or the name. */
	private static String contentId(StoredMail.Attachment file) {
		String id = String.valueOf(file.contentId());
		if (!CONTENT_ID.matcher(id).matches()) {
			throw new Composer.Unrenderable("The content id of an inline part is invalid");
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

	/**
	 * Text of a body in UTF-8, in lines terminated by CRLF, and its transfer encoding
	 * (RFC 2045 section 6): 7bit if it is ASCII in lines of permitted length, else
	 * quoted-printable if most of it is ASCII, else base64.
	 */
	static final class BodyText {

		/**
		 * Maximum length of a quoted-printable line without CRLF (RFC 2045 section 6.7).
		 */
		private static final int MAX_QUOTED_LINE_LENGTH = 76;

		/** Width of an octet that is written as an equals sign and two digits. */
		private static final int ENCODED_WIDTH = 3;

		private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

		private final byte[] bytes;

		private final int length;

		private int lines;

		private int longestLine;

		private int encodedOctets;

		private BodyText(byte[] bytes, int length) {
			this.bytes = bytes;
			this.length = length;
		}

		/** The text with each CR, LF or CRLF as CRLF. */
		static BodyText of(String text) {
			byte[] source = text.getBytes(StandardCharsets.UTF_8);
			byte[] target = new byte[source.length + singleLineEnds(source)];
			int length = 0;
			for (int i = 0; i < source.length; i++) {
				if (source[i] == '\r' || source[i] == '\n') {
					target[length++] = '\r';
					target[length++] = '\n';
					i += isLineEnd(source, i, source.length) ? 1 : 0;
				}
				else {
					target[length++] = source[i];
				}
			}
			BodyText body = new BodyText(target, length);
			body.measure();
			return body;
		}

		private static int singleLineEnds(byte[] source) {
			int count = 0;
			for (int i = 0; i < source.length; i++) {
				if (isLineEnd(source, i, source.length)) {
					i++;
				}
				else if (source[i] == '\r' || source[i] == '\n') {
					count++;
				}
			}
			return count;
		}

		private static boolean isLineEnd(byte[] bytes, int at, int length) {
			return bytes[at] == '\r' && at + 1 < length && bytes[at + 1] == '\n';
		}

		private void measure() {
			int line = 0;
			for (int i = 0; i < this.length; i++) {
				byte octet = this.bytes[i];
				if (octet == '\n') {
					this.lines++;
					line = 0;
				}
				else if (octet != '\r') {
					this.longestLine = Math.max(this.longestLine, ++line);
					this.encodedOctets += ((octet >= ' ' && octet < 0x7f) || octet == '\t') ? 0 : 1;
				}
			}
		}

		/** Number of line ends. */
		int lines() {
			return this.lines;
		}

		/** The transfer encoding as in Content-Transfer-Encoding. */
		String encoding() {
			if (this.encodedOctets == 0 && this.longestLine <= Headers.MAX_LINE_LENGTH) {
				return "7bit";
			}
			return (this.encodedOctets < this.length - this.encodedOctets) ? "quoted-printable" : "base64";
		}

		/** Writes the encoded text. */
		void writeTo(ByteArrayOutputStream out) {
			switch (encoding()) {
				case "7bit" -> out.write(this.bytes, 0, this.length);
				case "base64" -> out.writeBytes(Base64.getMimeEncoder().encode(Arrays.copyOf(this.bytes, this.length)));
				default -> writeQuotedPrintable(out);
			}
		}

		private void writeQuotedPrintable(ByteArrayOutputStream out) {
			byte[] line = new byte[MAX_QUOTED_LINE_LENGTH + 2];
			int column = 0;
			for (int i = 0; i < this.length; i++) {
				if (isLineEnd(this.bytes, i, this.length)) {
					endLine(out, line, column);
					i++;
					column = 0;
					continue;
				}
				boolean last = i + 1 == this.length || isLineEnd(this.bytes, i + 1, this.length);
				int width = isLiteral(this.bytes[i], last) ? 1 : ENCODED_WIDTH;
				// A place is left for the equals sign of a soft line break.
				if (column + width > MAX_QUOTED_LINE_LENGTH - (last ? 0 : 1)) {
					line[column++] = '=';
					endLine(out, line, column);
					column = 0;
				}
				encode(this.bytes[i], width, line, column);
				column += width;
			}
			out.write(line, 0, column);
		}

		private static void endLine(ByteArrayOutputStream out, byte[] line, int length) {
			line[length] = '\r';
			line[length + 1] = '\n';
			out.write(line, 0, length + 2);
		}

		/** White space is encoded at the end of a line, because servers may remove it. */
		private static boolean isLiteral(byte octet, boolean last) {
			return (octet == ' ' || octet == '\t') ? !last : octet > ' ' && octet < 0x7f && octet != '=';
		}

		private static void encode(byte octet, int width, byte[] line, int at) {
			if (width == 1) {
				line[at] = octet;
				return;
			}
			line[at] = '=';
			line[at + 1] = HEX[(octet >> 4) & 0xf];
			line[at + 2] = HEX[octet & 0xf];
		}

	}

	/**
	 * An attachment as a MIME part, base64-encoded. A message/rfc822 part must not be
	 * encoded (RFC 2046 section 5.2.1); if its content requires it, its type becomes
	 * application/octet-stream.
	 *
	 * @param type value of Content-Type
	 * @param encoding value of Content-Transfer-Encoding
	 * @param content encoded content
	 */
	private record FilePart(String type, String encoding, String filename, byte[] content) {

		private static final String MESSAGE = "message/";

		static FilePart of(StoredMail.Attachment file) {
			String type = Headers.contentType(file.contentType());
			boolean message = type.regionMatches(true, 0, MESSAGE, 0, MESSAGE.length());
			if (message && is7Bit(file.content())) {
				return new FilePart(type, "7bit", file.filename(), file.content());
			}
			return new FilePart(message ? Headers.UNKNOWN_TYPE : type, "base64", file.filename(),
					Base64.getMimeEncoder().encode(file.content()));
		}

		/**
		 * Whether the content is ASCII in lines of permitted length terminated by CRLF.
		 */
		private static boolean is7Bit(byte[] content) {
			int line = 0;
			for (int i = 0; i < content.length; i++) {
				if (content[i] == '\r' && i + 1 < content.length && content[i + 1] == '\n') {
					i++;
					line = 0;
				}
				else if (content[i] <= 0 || content[i] == '\r' || content[i] == '\n'
						|| ++line > Headers.MAX_LINE_LENGTH) {
					return false;
				}
			}
			return true;
		}

	}

}
