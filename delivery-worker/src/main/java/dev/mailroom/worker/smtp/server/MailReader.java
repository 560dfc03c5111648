package dev.mailroom.worker.smtp.server;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.inbound.ArrivedMail;
import dev.mailroom.inbound.InboundEmail;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.dom.field.AddressListField;
import org.apache.james.mime4j.dom.field.MailboxListField;
import org.apache.james.mime4j.dom.field.ParsedField;
import org.apache.james.mime4j.dom.field.UnstructuredField;
import org.apache.james.mime4j.field.LenientFieldParser;
import org.apache.james.mime4j.message.DefaultBodyDescriptorBuilder;
import org.apache.james.mime4j.message.MaximalBodyDescriptor;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parses a received mail into header fields, bodies and attachments. If it is malformed,
 * the result contains the parts before the error; the raw mail is stored in any case.
 */
final class MailReader {

	private static final Logger log = LoggerFactory.getLogger(MailReader.class);

	private static final int MAX_DEPTH = 20;

	private static final int MAX_PARTS = 200;

	/** Media types that are stored; any other becomes application/octet-stream. */
	private static final Pattern TYPE = Pattern.compile("[a-z0-9!#$&^_.+-]{1,127}/[a-z0-9!#$&^_.+-]{1,127}");

	private static final MimeConfig LIMITS = MimeConfig.custom()
		.setMaxLineLen(-1)
		.setMaxHeaderLen(100_000)
		.setMaxHeaderCount(1000)
		.build();

	/** The value of each character of base64, negative for others. */
	private static final byte[] BASE64 = new byte[256];

	static {
		String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
		for (int character = 0; character < BASE64.length; character++) {
			BASE64[character] = (byte) digits.indexOf(character);
		}
	}

	private static final int BLOCK = 8192;

	private static final int MAX_NAME_LENGTH = 200;

	private static final int MAX_EXTENSION_LENGTH = 20;

	private final HeaderReader header = new HeaderReader();

	private final StringBuilder text = new StringBuilder();

	private final StringBuilder html = new StringBuilder();

	private final List<InboundEmail.FileContent> files = new ArrayList<>();

	private int depth;

	private int parts;

	private MailReader() {
	}

	static ParsedMessage read(IncomingMail mail) {
		MailReader reader = new MailReader();
		try {
			reader.walk(mail.raw());
		}
		catch (IOException | MimeException | RuntimeException ex) {
			log.debug("A received mail could be parsed only in part", ex);
		}
		return new ParsedMessage(reader.header.heading(mail.sender()), reader.header.authors(),
				reader.header.messageId(), new InboundEmail.Text(orNull(reader.html), orNull(reader.text)),
				List.copyOf(reader.files));
	}

	private void walk(byte[] raw) throws IOException, MimeException {
		MimeTokenStream tokens = new MimeTokenStream(LIMITS, DecodeMonitor.SILENT,
				new DefaultBodyDescriptorBuilder(null, LenientFieldParser.getParser(), DecodeMonitor.SILENT));
		tokens.setRecursionMode(RecursionMode.M_NO_RECURSE);
		tokens.parse(new ByteArrayInputStream(raw));
		for (EntityState state = tokens.getState(); state != EntityState.T_END_OF_STREAM; state = tokens.next()) {
			switch (state) {
				case T_FIELD -> {
					if (this.depth == 0) {
						this.header.read(tokens.getField());
					}
				}
				case T_START_MULTIPART -> this.depth++;
				case T_END_MULTIPART -> this.depth--;
				case T_BODY -> {
					this.parts++;
					part(tokens);
				}
				default -> {
				}
			}
			if (this.depth > MAX_DEPTH || this.parts >= MAX_PARTS) {
				return;
			}
		}
	}

	private void part(MimeTokenStream tokens) throws IOException {
		if (!(tokens.getBodyDescriptor() instanceof MaximalBodyDescriptor part)) {
			return;
		}
		byte[] content = "base64".equalsIgnoreCase(part.getTransferEncoding()) ? base64(tokens.getInputStream())
				: tokens.getDecodedInputStream().readAllBytes();
		String type = part.getMimeType().toLowerCase(Locale.ROOT);
		@Nullable String name = name(part);
		boolean inline = name == null && !"attachment".equalsIgnoreCase(part.getContentDispositionType());
		if (inline && type.equals("text/plain")) {
			append(this.text, text(content, part.getCharset()));
		}
		else if (inline && type.equals("text/html")) {
			append(this.html, text(content, part.getCharset()));
		}
		else {
			String otherwise = "attachment-" + (this.files.size() + 1) + (type.equals("message/rfc822") ? ".eml" : "");
			String stored = TYPE.matcher(type).matches() ? type : "application/octet-stream";
			this.files.add(new InboundEmail.FileContent(fileName(name, otherwise), stored, content));
		}
	}

	/**
	 * Decodes base64 as mail programs do: other characters are skipped, text after
	 * padding is decoded too, and the last characters need no padding.
	 */
	private static byte[] base64(InputStream text) throws IOException {
		ByteArrayOutputStream decoded = new ByteArrayOutputStream();
		byte[] block = new byte[BLOCK];
		int bits = 0;
		int count = 0;
		for (int length = text.read(block); length >= 0; length = text.read(block)) {
			int written = 0;
			for (int i = 0; i < length; i++) {
				byte digit = BASE64[block[i] & 0xff];
				count = (block[i] == '=') ? 0 : count;
				if (digit >= 0) {
					bits = bits << 6 | digit;
					count += 6;
				}
				if (count >= 8) {
					count -= 8;
					block[written++] = (byte) (bits >> count);
				}
			}
			decoded.write(block, 0, written);
		}
		return decoded.toByteArray();
	}

	/**
	 * File name of the disposition, or else of the content type. Encoded words are
	 * decoded although RFC 2047 does not allow them here.
	 */
	private static @Nullable String name(MaximalBodyDescriptor part) {
		String name = Objects.requireNonNullElse(part.getContentDispositionFilename(),
				Objects.requireNonNullElse(part.getContentTypeParameters().get("name"), ""));
		return name.isBlank() ? null : DecoderUtil.decodeEncodedWords(name, DecodeMonitor.SILENT);
	}

	/** Joins the text parts of a mail, such as those before and after an image. */
	private static void append(StringBuilder text, String more) {
		text.append((text.isEmpty() || more.isEmpty()) ? "" : "\n").append(more);
	}

	private static String text(byte[] content, @Nullable String charset) {
		return decoded(content, charset).replace('\0', '\uFFFD');
	}

	private static String decoded(byte[] content, @Nullable String charset) {
		try {
			if (charset != null && !charset.equalsIgnoreCase("us-ascii")) {
				return new String(content, Charset.forName(charset));
			}
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
		}
		catch (CharacterCodingException | IllegalArgumentException _) {
			return new String(content, StandardCharsets.ISO_8859_1);
		}
	}

	private static @Nullable String orNull(StringBuilder text) {
		return text.isEmpty() ? null : text.toString();
	}

	/**
	 * File name of an attachment, made safe for saving: without directories, control
	 * characters and characters that change the direction of writing.
	 * @param otherwise result if nothing remains of the name
	 */
	static String fileName(@Nullable String given, String otherwise) {
		if (given == null) {
			return otherwise;
		}
		String last = given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
		StringBuilder cleaned = new StringBuilder();
		last.codePoints().filter(MailReader::isSafe).forEach(cleaned::appendCodePoint);
		String name = cleaned.toString().strip();
		return name.chars().allMatch((character) -> character == '.') ? otherwise : shortened(name);
	}

	/**
	 * Excludes control characters and marks of the direction of writing, which can
	 * disguise an extension.
	 */
	private static boolean isSafe(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

	private static String shortened(String name) {
		if (name.length() <= MAX_NAME_LENGTH) {
			return name;
		}
		int dot = name.lastIndexOf('.');
		String extension = (dot > 0 && name.length() - dot <= MAX_EXTENSION_LENGTH) ? name.substring(dot) : "";
		return withoutHalfPair(name.substring(0, MAX_NAME_LENGTH - extension.length())) + extension;
	}

	/** Removes half of a surrogate pair at the end. */
	private static String withoutHalfPair(String cut) {
		return Character.isHighSurrogate(cut.charAt(cut.length() - 1)) ? cut.substring(0, cut.length() - 1) : cut;
	}

	/**
	 * Content of a received mail, as far as it could be parsed.
	 *
	 * @param authors domains of all addresses in all From fields
	 * @param messageId the Message-ID; null if missing
	 */
	record ParsedMessage(ArrivedMail.Heading heading, List<String> authors, @Nullable String messageId,
			InboundEmail.Text text, List<InboundEmail.FileContent> files) {
	}

	/** Collects the header fields of a mail that are stored with it. */
	private static final class HeaderReader {

		/** Limit on the stored addresses of one list of recipients. */
		private static final int MAX_ADDRESSES = 500;

		private static final int MAX_ADDRESS_LENGTH = 320;

		/** Limit on the authors of all From fields. */
		private static final int MAX_AUTHORS = 100;

		/** Limit on all fields together, in characters; others are ignored. */
		private static final int MAX_HEADER_LENGTH = 500_000;

		private static final int MAX_LINE_LENGTH = 2000;

		private final List<Mailbox> from = new ArrayList<>();

		private final List<String> to = new ArrayList<>();

		private final List<String> cc = new ArrayList<>();

		private int fromFields;

		private int length;

		/** Whether authors or fields beyond the limits were ignored. */
		private boolean truncated;

		private String subject = "";

		private @Nullable String messageId;

		void read(Field field) {
			this.length += field.getName().length() + field.getBody().length();
			if (this.length > MAX_HEADER_LENGTH) {
				this.truncated = true;
				return;
			}
			switch (field.getName().toLowerCase(Locale.ROOT)) {
				case "from" -> {
					this.fromFields++;
					if (parsed(field) instanceof MailboxListField list && list.getMailboxList() != null) {
						List<Mailbox> authors = list.getMailboxList();
						int added = Math.min(authors.size(), MAX_AUTHORS - this.from.size());
						this.from.addAll(authors.subList(0, added));
						this.truncated |= added < authors.size();
					}
				}
				case "to" -> addresses(field, this.to);
				case "cc" -> addresses(field, this.cc);
				case "subject" -> {
					if (parsed(field) instanceof UnstructuredField line) {
						this.subject = line(line.getValue());
					}
				}
				case "message-id" -> this.messageId = line(field.getBody());
				default -> {
				}
			}
		}

		/**
		 * The collected fields.
		 * @param sender return path, used if From is missing
		 */
		ArrivedMail.Heading heading(String sender) {
			List<String> authors = this.from.stream().map(HeaderReader::address).toList();
			String name = this.from.isEmpty() ? "" : line(this.from.getFirst().getName());
			return new ArrivedMail.Heading(authors.isEmpty() ? sender : authors.getFirst(), name, List.copyOf(this.to),
					List.copyOf(this.cc), this.subject);
		}

		/**
		 * Domains of all authors. A mail has one From field (RFC 5322 section 3.6). A
		 * second one may have been added above a signed one. It adds an empty domain,
		 * which fails DMARC. So do authors or fields beyond the limits.
		 */
		List<String> authors() {
			Stream<String> domains = this.from.stream().map((mailbox) -> line(mailbox.getDomain()));
			return Stream.concat(domains, (this.fromFields > 1 || this.truncated) ? Stream.of("") : Stream.empty())
				.distinct()
				.toList();
		}

		@Nullable String messageId() {
			return (this.messageId == null || this.messageId.isEmpty()) ? null : this.messageId;
		}

		private static void addresses(Field field, List<String> target) {
			if (parsed(field) instanceof AddressListField list && list.getAddressList() != null) {
				list.getAddressList()
					.flatten()
					.stream()
					.map(HeaderReader::address)
					.filter((address) -> !address.isEmpty() && address.length() <= MAX_ADDRESS_LENGTH)
					.limit(MAX_ADDRESSES - target.size())
					.forEach(target::add);
			}
		}

		private static ParsedField parsed(Field field) {
			return LenientFieldParser.getParser().parse(field, DecodeMonitor.SILENT);
		}

		private static String address(Mailbox mailbox) {
			return line(mailbox.getAddress());
		}

		/**
		 * Text in one line without control characters and the line separators of Unicode,
		 * limited in length.
		 */
		private static String line(@Nullable String text) {
			String clean = Objects.requireNonNullElse(text, "").replaceAll("[\\p{Cc}\\u2028\\u2029]+", " ").strip();
			return clean.codePoints()
				.limit(MAX_LINE_LENGTH)
				.filter((character) -> Character.getType(character) != Character.SURROGATE)
				.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
				.toString();
		}

	}

}
