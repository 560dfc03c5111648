package dev.mailroom.worker.submission;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.mailroom.email.Submission;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.dom.Body;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.message.DefaultMessageWriter;
import org.jspecify.annotations.Nullable;

/** What a submitted mail says, and what comes with it. */
final class SubmittedParts {

	private static final int DEEPEST = 20;

	private static final int MOST = 200;

	private @Nullable String text;

	private @Nullable String html;

	private final List<Submission.@Nullable File> files = new ArrayList<>();

	private int parts;

	private SubmittedParts() {
	}

	static SubmittedParts of(Message message) throws IOException, Unreadable {
		SubmittedParts parts = new SubmittedParts();
		parts.walk(message, 0);
		return parts;
	}

	@Nullable String text() {
		return this.text;
	}

	@Nullable String html() {
		return this.html;
	}

	List<Submission.@Nullable File> files() {
		return this.files;
	}

	private void walk(Entity entity, int depth) throws IOException, Unreadable {
		this.parts++;
		if (depth > DEEPEST || this.parts > MOST) {
			throw new Unreadable(
					"The mail has more than " + MOST + " parts, or they are nested more than " + DEEPEST + " deep");
		}
		if (entity.getBody() instanceof Multipart multipart) {
			for (Entity part : multipart.getBodyParts()) {
				walk(part, depth + 1);
			}
		}
		else {
			single(entity);
		}
	}

	/** The first of each kind is the body; a second, or one with a name, is a file. */
	private void single(Entity entity) throws IOException {
		String type = entity.getMimeType().toLowerCase(Locale.ROOT);
		byte[] content = content(entity.getBody());
		boolean shown = entity.getFilename() == null && !"attachment".equalsIgnoreCase(entity.getDispositionType());
		if (shown && this.text == null && type.equals("text/plain")) {
			this.text = words(content, entity.getCharset());
		}
		else if (shown && this.html == null && type.equals("text/html")) {
			this.html = words(content, entity.getCharset());
		}
		else if (content.length > 0 || !shown) {
			this.files.add(new Submission.File(name(entity, type), Base64.getEncoder().encodeToString(content), type,
					contentId(entity)));
		}
	}

	private String name(Entity entity, String type) {
		String otherwise = "attachment-" + (this.files.size() + 1) + (type.equals("message/rfc822") ? ".eml" : "");
		return DecoderUtil.decodeEncodedWords(Objects.requireNonNullElse(entity.getFilename(), otherwise),
				DecodeMonitor.SILENT);
	}

	/** By which the HTML names it: without its brackets. */
	private static @Nullable String contentId(Entity entity) {
		if (entity.getHeader().getField("Content-ID") == null) {
			return null;
		}
		String id = entity.getHeader().getField("Content-ID").getBody().strip();
		return (id.startsWith("<") && id.endsWith(">")) ? id.substring(1, id.length() - 1) : id;
	}

	private static byte[] content(@Nullable Body body) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		switch (body) {
			case SingleBody single -> single.writeTo(bytes);
			case Message message -> new DefaultMessageWriter().writeMessage(message, bytes);
			case null, default -> {
			}
		}
		return bytes.toByteArray();
	}

	private static String words(byte[] content, @Nullable String charset) {
		try {
			return (charset != null && !charset.equalsIgnoreCase("us-ascii"))
					? new String(content, Charset.forName(charset))
					: StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
		}
		catch (CharacterCodingException | IllegalArgumentException _) {
			return new String(content, StandardCharsets.ISO_8859_1);
		}
	}

}
