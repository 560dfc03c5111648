package dev.mailroom.mail.draft;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import dev.mailroom.FieldErrors;
import dev.mailroom.Refused;
import dev.mailroom.mail.draft.MailContent.Attachment;
import org.jspecify.annotations.Nullable;

/**
 * Checks a submission and makes a checked mail of it, or reports all of its faults
 * together. Uses neither Reactor nor the database.
 */
public final class MailRules {

	private static final int MAX_RECIPIENTS = 50;

	private static final int MAX_REPLY_TO = 25;

	private static final int MAX_NAME_LENGTH = 256;

	private static final int MAX_TAGS = 50;

	private static final int MAX_TAG_LENGTH = 1024;

	private static final int MAX_HEADERS = 50;

	private static final int MAX_FILES = 10;

	private static final long MAX_BYTES = 10L * 1024 * 1024;

	/** Bytes of a character in UTF-8, at most; a surrogate pair has four. */
	private static final int MAX_UTF8_BYTES = 3;

	private static final int MAX_FILENAME_LENGTH = 255;

	/** {@code type/subtype} with parameters (RFC 2045 5.1). */
	private static final Pattern CONTENT_TYPE = Pattern
		.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+([ \\t]*;[ \\t]*[A-Za-z0-9!#$&^_.+*-]+=[\\x20-\\x7e]+)?");

	private static final Pattern CONTENT_ID = Pattern.compile("[\\x21-\\x7e&&[^<>]]{1,250}");

	private final FieldErrors errors = new FieldErrors();

	private MailRules() {
	}

	/**
	 * Makes a checked mail of a submission whose template, if any, is filled in.
	 * @param now the time after which {@code send_at} must be
	 * @throws Refused {@code Validation error}, with each field at fault
	 */
	public static CheckedMail check(Submission mail, Instant now) {
		MailRules rules = new MailRules();
		@Nullable Mailbox from = rules.mailbox("from", mail.from());
		List<Mailbox> to = rules.mailboxes("to", mail.to());
		List<Mailbox> cc = rules.mailboxes("cc", mail.cc());
		List<Mailbox> bcc = rules.mailboxes("bcc", mail.bcc());
		List<Mailbox> replyTo = rules.mailboxes("reply_to", mail.replyTo());
		rules.checkRecipientCount(to, cc, bcc);
		rules.checkReplyToCount(mail.replyTo().size());
		rules.checkContent(mail.content());
		@Nullable Instant sendAt = CheckedMail.readSendAt(mail.sendAt(), now, rules.errors);
		rules.errors.refuseIfAny(EmailRefusals.INVALID, FieldErrors::summary);
		return new CheckedMail(Objects.requireNonNull(from), to, cc, bcc, replyTo, mail.content(), sendAt,
				mail.contactId(), null);
	}

	private @Nullable Mailbox mailbox(String field, @Nullable String text) {
		if (text == null || text.isBlank()) {
			this.errors.add(field, "is required: an address, or Name <address>");
			return null;
		}
		@Nullable Mailbox mailbox = Mailbox.parse(text).orElse(null);
		if (mailbox == null) {
			this.errors.add(field, "must be one address, or one Name <address>, without line breaks");
		}
		else if (mailbox.name().length() > MAX_NAME_LENGTH) {
			this.errors.add(field, "has a name of more than " + MAX_NAME_LENGTH + " characters");
		}
		return mailbox;
	}

	private List<Mailbox> mailboxes(String field, List<@Nullable String> texts) {
		List<Mailbox> mailboxes = new ArrayList<>();
		for (int i = 0; i < Math.min(texts.size(), MAX_RECIPIENTS + 1); i++) {
			@Nullable Mailbox mailbox = mailbox(field + "[" + i + "]", texts.get(i));
			if (mailbox != null) {
				mailboxes.add(mailbox);
			}
		}
		if (field.equals("to") && texts.isEmpty()) {
			this.errors.add(field, "is required: at least one recipient");
		}
		return mailboxes;
	}

	private void checkRecipientCount(List<Mailbox> to, List<Mailbox> cc, List<Mailbox> bcc) {
		if (to.size() + cc.size() + bcc.size() > MAX_RECIPIENTS) {
			this.errors.add("to", "has, with cc and bcc, more than " + MAX_RECIPIENTS + " recipients");
		}
	}

	private void checkReplyToCount(int count) {
		if (count > MAX_REPLY_TO) {
			this.errors.add("reply_to", "has more than " + MAX_REPLY_TO + " addresses");
		}
	}

	private void checkContent(MailContent content) {
		checkSubject(content.subject());
		checkBody(content);
		checkAttachments(content);
		checkTags(content.tags());
		checkHeaders(content.headers());
	}

	private void checkSubject(String subject) {
		if (subject.isBlank()) {
			this.errors.add("subject", "is required");
			return;
		}
		if (subject.length() > HeaderRules.MAX_LINE_LENGTH) {
			this.errors.add("subject", "has more than " + HeaderRules.MAX_LINE_LENGTH + " characters");
		}
		if (!HeaderRules.isOneLine(subject)) {
			this.errors.add("subject", "must be one line, without control characters");
		}
	}

	private void checkBody(MailContent content) {
		if (content.html() == null && content.text() == null) {
			this.errors.add("html", "is required where there is no text: one of html and text must be given");
		}
		refuseNul("html", content.html());
		refuseNul("text", content.text());
	}

	private void refuseNul(String field, @Nullable String text) {
		if (text != null && text.indexOf('\0') >= 0) {
			this.errors.add(field, "must not hold the character NUL");
		}
	}

	/**
	 * At most ten files, each complete base64, and 10 MB decoded together with the
	 * bodies.
	 */
	private void checkAttachments(MailContent content) {
		List<Attachment> files = content.attachments();
		if (files.size() > MAX_FILES) {
			this.errors.add("attachments", "has more than " + MAX_FILES + " files");
			return;
		}
		long bytes = 0;
		for (int i = 0; i < files.size(); i++) {
			bytes += checkFile("attachments[" + i + "]", files.get(i));
		}
		if (bytes > MAX_BYTES) {
			this.errors.add("attachments", "are larger than 10 MB together");
		}
		else if (exceedsLimit(bytes, content)) {
			this.errors.add((content.html() != null) ? "html" : "text",
					"is, with the rest of the mail, larger than 10 MB");
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
	private long checkFile(String at, Attachment file) {
		String filename = file.filename();
		if (filename.isBlank() || filename.length() > MAX_FILENAME_LENGTH || !HeaderRules.isOneLine(filename)) {
			this.errors.add(at + ".filename",
					"is required: one line of at most " + MAX_FILENAME_LENGTH + " characters");
		}
		String type = file.contentType();
		if (!CONTENT_TYPE.matcher(type).matches() || type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
			this.errors.add(at + ".contentType", "must be a media type, such as application/pdf");
		}
		if (file.contentId() != null && !CONTENT_ID.matcher(file.contentId()).matches()) {
			this.errors.add(at + ".content_id", "must be printable ASCII without brackets and spaces");
		}
		if (file.content().isEmpty()) {
			this.errors.add(at + ".content", "must have at least one byte: the file in base64");
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
		this.errors.add(at + ".content", "must be base64 with its padding and without line breaks (RFC 4648)");
		return 0;
	}

	private void checkTags(Map<String, Object> tags) {
		if (tags.size() > MAX_TAGS) {
			this.errors.add("tags", "has more than " + MAX_TAGS + " entries");
		}
		tags.forEach((name, value) -> {
			String text = value.toString();
			if (name.isBlank() || Math.max(name.length(), text.length()) > MAX_TAG_LENGTH
					|| !HeaderRules.isOneLine(name + text)) {
				this.errors.add("tags", "must each have a name, and name and value of one line and at most "
						+ MAX_TAG_LENGTH + " characters");
			}
		});
	}

	private void checkHeaders(Map<String, String> headers) {
		if (headers.size() > MAX_HEADERS) {
			this.errors.add("headers", "has more than " + MAX_HEADERS + " entries");
		}
		headers.forEach((name, value) -> {
			if (!HeaderRules.isAllowed(name)) {
				this.errors.add("headers." + name, "is not a header that a sender may set");
			}
			else if (value.length() > HeaderRules.MAX_LINE_LENGTH || !HeaderRules.isOneLine(value)) {
				this.errors.add("headers." + name, "must be one line of at most " + HeaderRules.MAX_LINE_LENGTH
						+ " characters, without control characters");
			}
		});
	}

}
