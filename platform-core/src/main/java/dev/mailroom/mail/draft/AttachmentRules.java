package dev.mailroom.mail.draft;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.mailroom.Refusal;
import dev.mailroom.mail.draft.MailContent.Attachment;
import org.jspecify.annotations.Nullable;

/**
 * Rules for attachments: at most ten, each complete base64, and 10 MB of decoded content
 * together with the bodies of the mail.
 */
final class AttachmentRules {

	private static final int MAX_FILES = 10;

	private static final long MAX_BYTES = 10L * 1024 * 1024;

	/** Bytes of a character in UTF-8, at most; a surrogate pair has four. */
	private static final int MAX_UTF8_BYTES = 3;

	private static final int MAX_NAME_LENGTH = 255;

	/** {@code type/subtype} with parameters (RFC 2045 5.1). */
	private static final Pattern CONTENT_TYPE = Pattern
		.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+([ \\t]*;[ \\t]*[A-Za-z0-9!#$&^_.+*-]+=[\\x20-\\x7e]+)?");

	private static final Pattern CONTENT_ID = Pattern.compile("[\\x21-\\x7e&&[^<>]]{1,250}");

	private final List<Refusal.Detail> errors;

	AttachmentRules(List<Refusal.Detail> errors) {
		this.errors = errors;
	}

	void check(MailContent content) {
		List<Attachment> files = content.attachments();
		if (files.size() > MAX_FILES) {
			refuse("attachments", "has more than " + MAX_FILES + " files");
			return;
		}
		long bytes = 0;
		for (int i = 0; i < files.size(); i++) {
			bytes += check("attachments[" + i + "]", files.get(i));
		}
		if (bytes > MAX_BYTES) {
			refuse("attachments", "are larger than 10 MB together");
		}
		else if (exceedsLimit(bytes, content)) {
			refuse((content.html() != null) ? "html" : "text", "is, with the rest of the mail, larger than 10 MB");
		}
	}

	/** Whether the mail is too large; the bodies are encoded only if they may be. */
	private static boolean exceedsLimit(long files, MailContent content) {
		return files + content.bodyLength() * MAX_UTF8_BYTES > MAX_BYTES
				&& files + utf8Length(content.html()) + utf8Length(content.text()) > MAX_BYTES;
	}

	private static long utf8Length(@Nullable String text) {
		return (text != null) ? text.getBytes(StandardCharsets.UTF_8).length : 0;
	}

	/** Checks one file and returns its size in bytes. */
	private long check(String at, Attachment file) {
		String filename = file.filename();
		if (filename.isBlank() || filename.length() > MAX_NAME_LENGTH || !HeaderRules.isOneLine(filename)) {
			refuse(at + ".filename", "is required: one line of at most " + MAX_NAME_LENGTH + " characters");
		}
		String type = file.contentType();
		if (!CONTENT_TYPE.matcher(type).matches() || type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
			refuse(at + ".contentType", "must be a media type, such as application/pdf");
		}
		if (file.contentId() != null && !CONTENT_ID.matcher(file.contentId()).matches()) {
			refuse(at + ".content_id", "must be printable ASCII without brackets and spaces");
		}
		if (file.content().isEmpty()) {
			refuse(at + ".content", "must have at least one byte: the file in base64");
			return 0;
		}
		return decodedLength(at, file.content());
	}

	private long decodedLength(String at, String content) {
		try {
			// The decoder also accepts missing padding.
			if (content.length() % 4 == 0) {
				return Base64.getDecoder().decode(content).length;
			}
		}
		catch (IllegalArgumentException _) {
			// Refused below, like missing padding.
		}
		refuse(at + ".content", "must be base64 with its padding and without line breaks (RFC 4648)");
		return 0;
	}

	private void refuse(String field, String message) {
		this.errors.add(new Refusal.Detail(field, message));
	}

}
