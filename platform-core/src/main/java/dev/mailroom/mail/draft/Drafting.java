package dev.mailroom.mail.draft;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Checks a submission and makes a draft of it, or reports all of its faults together.
 * Uses neither Reactor nor the database.
 */
public final class Drafting {

	private static final int MAX_RECIPIENTS = 50;

	private static final int MAX_REPLY_TO = 25;

	private static final int MAX_NAME_LENGTH = 256;

	private static final int MAX_TAGS = 50;

	private static final int MAX_TAG_LENGTH = 1024;

	private static final int MAX_HEADERS = 50;

	private final List<Refusal.Detail> errors = new ArrayList<>();

	private Drafting() {
	}

	/**
	 * Makes a draft of a submission whose template, if any, is filled in.
	 * @param now the time after which {@code send_at} must be
	 * @throws Refused {@code Validation error}, with each field at fault
	 */
	public static Draft draft(Submission mail, Instant now) {
		Drafting drafting = new Drafting();
		@Nullable Mailbox from = drafting.mailbox("from", mail.from());
		List<Mailbox> to = drafting.mailboxes("to", mail.to());
		List<Mailbox> cc = drafting.mailboxes("cc", mail.cc());
		List<Mailbox> bcc = drafting.mailboxes("bcc", mail.bcc());
		List<Mailbox> replyTo = drafting.mailboxes("reply_to", mail.replyTo());
		drafting.checkRecipientCount(to, cc, bcc);
		drafting.checkReplyToCount(mail.replyTo().size());
		drafting.checkContent(mail.content());
		@Nullable Instant sendAt = Draft.readSendAt(mail.sendAt(), now, drafting.errors);
		if (!drafting.errors.isEmpty() || from == null) {
			throw EmailRefusals.invalid(drafting.errors);
		}
		return new Draft(from, to, cc, bcc, replyTo, mail.content(), sendAt, mail.contactId());
	}

	private void refuse(String field, String message) {
		this.errors.add(new Refusal.Detail(field, message));
	}

	private @Nullable Mailbox mailbox(String field, @Nullable String text) {
		if (text == null || text.isBlank()) {
			refuse(field, "is required: an address, or Name <address>");
			return null;
		}
		@Nullable Mailbox mailbox = Mailbox.parse(text).orElse(null);
		if (mailbox == null) {
			refuse(field, "must be one address, or one Name <address>, without line breaks");
		}
		else if (mailbox.name().length() > MAX_NAME_LENGTH) {
			refuse(field, "has a name of more than " + MAX_NAME_LENGTH + " characters");
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
			refuse(field, "is required: at least one recipient");
		}
		return mailboxes;
	}

	private void checkRecipientCount(List<Mailbox> to, List<Mailbox> cc, List<Mailbox> bcc) {
		if (to.size() + cc.size() + bcc.size() > MAX_RECIPIENTS) {
			refuse("to", "has, with cc and bcc, more than " + MAX_RECIPIENTS + " recipients");
		}
	}

	private void checkReplyToCount(int count) {
		if (count > MAX_REPLY_TO) {
			refuse("reply_to", "has more than " + MAX_REPLY_TO + " addresses");
		}
	}

	private void checkContent(MailContent content) {
		checkSubject(content.subject());
		checkBody(content);
		new AttachmentRules(this.errors).check(content);
		checkTags(content.tags());
		checkHeaders(content.headers());
	}

	private void checkSubject(String subject) {
		if (subject.isBlank()) {
			refuse("subject", "is required");
			return;
		}
		if (subject.length() > HeaderRules.MAX_LINE_LENGTH) {
			refuse("subject", "has more than " + HeaderRules.MAX_LINE_LENGTH + " characters");
		}
		if (!HeaderRules.isOneLine(subject)) {
			refuse("subject", "must be one line, without control characters");
		}
	}

	private void checkBody(MailContent content) {
		if (content.html() == null && content.text() == null) {
			refuse("html", "is required where there is no text: one of html and text must be given");
		}
		refuseNul("html", content.html());
		refuseNul("text", content.text());
	}

	private void refuseNul(String field, @Nullable String text) {
		if (text != null && text.indexOf('\0') >= 0) {
			refuse(field, "must not hold the character NUL");
		}
	}

	private void checkTags(Map<String, Object> tags) {
		if (tags.size() > MAX_TAGS) {
			refuse("tags", "has more than " + MAX_TAGS + " entries");
		}
		tags.forEach((name, value) -> {
			String text = value.toString();
			if (name.isBlank() || Math.max(name.length(), text.length()) > MAX_TAG_LENGTH
					|| !HeaderRules.isOneLine(name + text)) {
				refuse("tags", "must each have a name, and name and value of one line and at most " + MAX_TAG_LENGTH
						+ " characters");
			}
		});
	}

	private void checkHeaders(Map<String, String> headers) {
		if (headers.size() > MAX_HEADERS) {
			refuse("headers", "has more than " + MAX_HEADERS + " entries");
		}
		headers.forEach((name, value) -> {
			if (!HeaderRules.isAllowed(name)) {
				refuse("headers." + name, "is not a header that a sender may set");
			}
			else if (value.length() > HeaderRules.MAX_LINE_LENGTH || !HeaderRules.isOneLine(value)) {
				refuse("headers." + name, "must be one line of at most " + HeaderRules.MAX_LINE_LENGTH
						+ " characters, without control characters");
			}
		});
	}

}
