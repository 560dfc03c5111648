package dev.mailroom.worker.smtp.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

import dev.mailroom.inbound.InboundEmail;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.field.LenientFieldParser;
import org.apache.james.mime4j.message.DefaultBodyDescriptorBuilder;
import org.apache.james.mime4j.message.MaximalBodyDescriptor;
import org.apache.james.mime4j.stream.EntityState;
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

	private final HeaderReader header = new HeaderReader();

	private final StringBuilder text = new StringBuilder();

	private final StringBuilder html = new StringBuilder();

	private final List<InboundEmail.Content> files = new ArrayList<>();

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
		byte[] content = tokens.getDecodedInputStream().readAllBytes();
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
			this.files.add(new InboundEmail.Content(FileName.clean(name, otherwise), stored, content));
		}
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

}
