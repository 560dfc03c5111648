package dev.mailroom.submission;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.accept.Draft;
import dev.mailroom.accept.EmailRefusals;
import dev.mailroom.accept.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a submission and makes a draft of it, or says everything that is wrong with it
 * at once. Wants no Reactor and no database.
 */
public final class Drafting {

	private static final int MOST_RECIPIENTS = 50;

	private static final int LONGEST_NAME = 256;

	private static final int MOST_TAGS = 50;

	private static final int LONGEST_TAG = 1024;

	private static final int MOST_HEADERS = 50;

	private static final Duration FURTHEST = Duration.ofDays(30);

	private final List<Refusal.Detail> wrong = new ArrayList<>();

	private final Submission asked;

	private Drafting(Submission asked) {
		this.asked = asked;
	}

	/**
	 * Makes a draft of what was asked for.
	 * @param now what the future begins with
	 * @throws Refused {@code Validation error}, with each field at fault
	 */
	public static Draft draft(Submission asked, Instant now) {
		Drafting drafting = new Drafting(asked);
		@Nullable Mailbox from = drafting.mailbox("from", asked.from());
		List<Mailbox> to = drafting.mailboxes("to", asked.to());
		List<Mailbox> cc = drafting.mailboxes("cc", asked.cc());
		List<Mailbox> bcc = drafting.mailboxes("bcc", asked.bcc());
		List<Mailbox> replyTo = drafting.mailboxes("reply_to", asked.replyTo());
		drafting.countRecipients(to, cc, bcc);
		String subject = drafting.subject();
		drafting.needsABody();
		List<Draft.File> files = new AttachmentRules(drafting.wrong).check(asked.attachments());
		Map<String, Object> tags = drafting.tags();
		Map<String, String> headers = drafting.headers();
		@Nullable Instant sendAt = sendAt(drafting.wrong, asked.sendAt(), now);
		if (!drafting.wrong.isEmpty() || from == null) {
			throw refused(drafting.wrong);
		}
		return new Draft(from, to, cc, bcc, replyTo, subject, body(asked.html()), body(asked.text()), files, tags,
				headers, sendAt, asked.openTracking(), asked.clickTracking(), null);
	}

	public static Refused refused(List<Refusal.Detail> wrong) {
		Refusal.Detail first = wrong.getFirst();
		String more = (wrong.size() > 1) ? " (and " + (wrong.size() - 1) + " more, see details)" : "";
		return EmailRefusals.INVALID.because(first.field() + " " + first.message() + more, wrong);
	}

	/**
	 * Reads the time at which a mail is to be sent.
	 * @return null where none was given, or where it was wrong
	 */
	public static @Nullable Instant sendAt(List<Refusal.Detail> wrong, @Nullable String text, Instant now) {
		if (text == null) {
			return null;
		}
		try {
			Instant at = OffsetDateTime.parse(text).toInstant();
			if (!at.isAfter(now)) {
				wrong.add(new Refusal.Detail("send_at", "must be in the future"));
			}
			else if (at.isAfter(now.plus(FURTHEST))) {
				wrong.add(new Refusal.Detail("send_at", "must be within " + FURTHEST.toDays() + " days"));
			}
			return at;
		}
		catch (DateTimeException _) {
			wrong.add(new Refusal.Detail("send_at",
					"must be an ISO 8601 date and time with an offset, such as 2030-01-31T09:00:00Z"));
			return null;
		}
	}

	private static @Nullable String body(@Nullable String text) {
		return (text == null || text.isEmpty()) ? null : text;
	}

	private void refuse(String field, String message) {
		this.wrong.add(new Refusal.Detail(field, message));
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
		else if (mailbox.name().length() > LONGEST_NAME) {
			refuse(field, "has a name of more than " + LONGEST_NAME + " characters");
		}
		return mailbox;
	}

	private List<Mailbox> mailboxes(String field, @Nullable List<@Nullable String> texts) {
		List<Mailbox> mailboxes = new ArrayList<>();
		for (int i = 0; texts != null && i < Math.min(texts.size(), MOST_RECIPIENTS + 1); i++) {
			@Nullable Mailbox mailbox = mailbox(field + "[" + i + "]", texts.get(i));
			if (mailbox != null) {
				mailboxes.add(mailbox);
			}
		}
		if (field.equals("to") && (texts == null || texts.isEmpty())) {
			refuse(field, "is required: at least one recipient");
		}
		return mailboxes;
	}

	private void countRecipients(List<Mailbox> to, List<Mailbox> cc, List<Mailbox> bcc) {
		if (to.size() + cc.size() + bcc.size() > MOST_RECIPIENTS) {
			refuse("to", "has, with cc and bcc, more than " + MOST_RECIPIENTS + " recipients");
		}
	}

	private String subject() {
		@Nullable String subject = this.asked.subject();
		if (subject == null || subject.isBlank()) {
			refuse("subject", "is required");
			return "";
		}
		if (subject.length() > HeaderRules.LONGEST_LINE) {
			refuse("subject", "has more than " + HeaderRules.LONGEST_LINE + " characters");
		}
		if (!HeaderRules.oneLine(subject)) {
			refuse("subject", "must be one line, without control characters");
		}
		return subject;
	}

	private void needsABody() {
		if (body(this.asked.html()) == null && body(this.asked.text()) == null) {
			refuse("html", "is required where there is no text: one of html and text must be given");
		}
		refuseNul("html", this.asked.html());
		refuseNul("text", this.asked.text());
	}

	private void refuseNul(String field, @Nullable String text) {
		if (text != null && text.indexOf('\0') >= 0) {
			refuse(field, "must not hold the character NUL");
		}
	}

	private Map<String, Object> tags() {
		Map<String, Object> tags = (this.asked.tags() != null) ? this.asked.tags() : Map.of();
		if (tags.size() > MOST_TAGS) {
			refuse("tags", "has more than " + MOST_TAGS + " entries");
		}
		tags.forEach((name, value) -> {
			String text = value.toString();
			if (name.isBlank() || Math.max(name.length(), text.length()) > LONGEST_TAG
					|| !HeaderRules.oneLine(name + text)) {
				refuse("tags", "must each have a name, and name and value of one line and at most " + LONGEST_TAG
						+ " characters");
			}
		});
		return tags;
	}

	private Map<String, String> headers() {
		Map<String, String> headers = new LinkedHashMap<>();
		Map<String, @Nullable String> asked = (this.asked.headers() != null) ? this.asked.headers() : Map.of();
		if (asked.size() > MOST_HEADERS) {
			refuse("headers", "has more than " + MOST_HEADERS + " entries");
		}
		asked.forEach((name, value) -> {
			if (!HeaderRules.allowed(name)) {
				refuse("headers." + name, "is not a header that a sender may set");
			}
			else if (value == null || value.length() > HeaderRules.LONGEST_LINE || !HeaderRules.oneLine(value)) {
				refuse("headers." + name, "must be one line of at most " + HeaderRules.LONGEST_LINE
						+ " characters, without control characters");
			}
			else {
				headers.put(name, value);
			}
		});
		return headers;
	}

}
