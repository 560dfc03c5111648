package dev.mailroom.submission;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.mailroom.Refusal;
import dev.mailroom.accept.Draft;
import org.jspecify.annotations.Nullable;

/** What may be attached: at most ten files, 10 MB together, each whole base64. */
final class AttachmentRules {

	private static final int MOST = 10;

	private static final long MOST_BYTES = 10L * 1024 * 1024;

	private static final int LONGEST_NAME = 255;

	/** {@code type/subtype} with parameters (RFC 2045 5.1). */
	private static final Pattern CONTENT_TYPE = Pattern
		.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+([ \\t]*;[ \\t]*[A-Za-z0-9!#$&^_.+*-]+=[\\x20-\\x7e]+)?");

	private static final Pattern CONTENT_ID = Pattern.compile("[\\x21-\\x7e&&[^<>]]{1,250}");

	private final List<Refusal.Detail> wrong;

	AttachmentRules(List<Refusal.Detail> wrong) {
		this.wrong = wrong;
	}

	List<Draft.File> check(@Nullable List<Submission.@Nullable File> asked) {
		List<Draft.File> files = new ArrayList<>();
		if (asked == null) {
			return files;
		}
		if (asked.size() > MOST) {
			refuse("attachments", "has more than " + MOST + " files");
			return files;
		}
		long bytes = 0;
		for (int i = 0; i < asked.size(); i++) {
			Submission.@Nullable File file = asked.get(i);
			bytes += (file != null) ? decoded("attachments[" + i + "]", file, files) : missing(i);
		}
		if (bytes > MOST_BYTES) {
			refuse("attachments", "are larger than 10 MB together");
		}
		return files;
	}

	private long missing(int index) {
		refuse("attachments[" + index + "]", "must be an object with filename and content");
		return 0;
	}

	/** Looks at one file and returns how many bytes it has. */
	private long decoded(String at, Submission.File file, List<Draft.File> files) {
		@Nullable String filename = file.filename();
		if (filename == null || filename.isBlank() || filename.length() > LONGEST_NAME
				|| !HeaderRules.oneLine(filename)) {
			refuse(at + ".filename", "is required: one line of at most " + LONGEST_NAME + " characters");
			filename = "";
		}
		String type = (file.contentType() != null) ? file.contentType() : "application/octet-stream";
		if (!CONTENT_TYPE.matcher(type).matches() || type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
			refuse(at + ".contentType", "must be a media type, such as application/pdf");
		}
		if (file.contentId() != null && !CONTENT_ID.matcher(file.contentId()).matches()) {
			refuse(at + ".content_id", "must be printable ASCII without brackets and spaces");
		}
		@Nullable String content = file.content();
		if (content == null || content.isEmpty()) {
			refuse(at + ".content", "is required: the file in base64");
			return 0;
		}
		files.add(new Draft.File(filename, type, file.contentId(), content));
		return length(at, content);
	}

	private long length(String at, String content) {
		try {
			// The decoder alone would let missing padding pass.
			if (content.length() % 4 == 0) {
				return Base64.getDecoder().decode(content).length;
			}
		}
		catch (IllegalArgumentException _) {
			// Refused below, like what is cut short.
		}
		refuse(at + ".content", "must be base64 with its padding and without line breaks (RFC 4648)");
		return 0;
	}

	private void refuse(String field, String message) {
		this.wrong.add(new Refusal.Detail(field, message));
	}

}
