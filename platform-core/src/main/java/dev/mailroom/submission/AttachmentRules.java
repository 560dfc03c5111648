package dev.mailroom.submission;

import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.mailroom.Refusal;
import dev.mailroom.accept.MailContent.Attachment;

/** Rules for attachments: at most ten, 10 MB together, each complete base64. */
final class AttachmentRules {

	private static final int MAX_FILES = 10;

	private static final long MAX_BYTES = 10L * 1024 * 1024;

	private static final int MAX_NAME_LENGTH = 255;

	/** {@code type/subtype} with parameters (RFC 2045 5.1). */
	private static final Pattern CONTENT_TYPE = Pattern
		.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+([ \\t]*;[ \\t]*[A-Za-z0-9!#$&^_.+*-]+=[\\x20-\\x7e]+)?");

	private static final Pattern CONTENT_ID = Pattern.compile("[\\x21-\\x7e&&[^<>]]{1,250}");

	private final List<Refusal.Detail> errors;

	AttachmentRules(List<Refusal.Detail> errors) {
		this.errors = errors;
	}

	void check(List<Attachment> files) {
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
			refuse(at + ".content", "is required: the file in base64");
			return 0;
		}
		return decodedLength(at, file.content());
	}

	private long decodedLength(String at, String content) {
		try {
			// The decoder by itself accepts missing padding.
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
