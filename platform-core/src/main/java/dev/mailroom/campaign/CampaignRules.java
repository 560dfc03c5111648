package dev.mailroom.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.accept.Mailbox;
import dev.mailroom.submission.Drafting;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/** What a campaign may hold. */
final class CampaignRules {

	private static final int LONGEST_NAME = 200;

	/** The longest line that mail may carry, without its end (RFC 5322 2.1.1). */
	private static final int LONGEST_SUBJECT = 998;

	/** As much as a template's. */
	private static final int LONGEST_CONTENT = 256 * 1024;

	private static final int MOST_REPLY_TO = 10;

	private final List<Refusal.Detail> wrong = new ArrayList<>();

	private CampaignRules() {
	}

	/**
	 * Looks at what was asked for and says everything that is wrong with it at once.
	 * @param kept the time it has already, which may have come meanwhile
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static Fit check(Campaign.Asked asked, @Nullable Instant kept, Instant now) {
		CampaignRules rules = new CampaignRules();
		String name = rules.line("name", asked.name(), LONGEST_NAME).strip();
		@Nullable Mailbox from = rules.mailbox("from", asked.from());
		List<String> replyTo = rules.replyTo(asked.replyTo());
		String subject = rules.line("subject", asked.subject(), LONGEST_SUBJECT);
		rules.placeholders("subject", subject);
		@Nullable UUID book = asked.contactBookId();
		if (book == null) {
			rules.refuse("contact_book_id", "is required: the id of one of your contact books");
		}
		@Nullable String html = rules.content("html_content", asked.htmlContent());
		@Nullable String text = rules.content("text_content", asked.textContent());
		rules.oneSource(asked.templateId(), html, text);
		@Nullable Instant sendAt = rules.sendAt(asked.sendAt(), kept, now);
		if (!rules.wrong.isEmpty() || from == null || book == null) {
			throw CampaignRefusals.invalid(rules.wrong);
		}
		return new Fit(name, from, replyTo, subject, book, asked.templateId(), html, text, sendAt);
	}

	/**
	 * Reads the time at which a campaign is to start.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static Instant time(@Nullable String text, Instant now) {
		CampaignRules rules = new CampaignRules();
		@Nullable Instant at = rules.sendAt(text, null, now);
		if (at == null && rules.wrong.isEmpty()) {
			rules.refuse("send_at", "is required: an ISO 8601 date and time with an offset, in the future");
		}
		if (at == null || !rules.wrong.isEmpty()) {
			throw CampaignRefusals.invalid(rules.wrong);
		}
		return at;
	}

	private @Nullable Instant sendAt(@Nullable String text, @Nullable Instant kept, Instant now) {
		if (kept != null && kept.toString().equals(text)) {
			return kept;
		}
		return Drafting.sendAt(this.wrong, text, now);
	}

	private String line(String field, @Nullable String text, int longest) {
		if (text == null || text.isBlank() || text.length() > longest
				|| text.chars().anyMatch(EmailAddress::breaksALine)) {
			refuse(field, "is required: one line of at most " + longest + " characters");
			return "";
		}
		return text;
	}

	private @Nullable Mailbox mailbox(String field, @Nullable String text) {
		@Nullable Mailbox mailbox = (text != null) ? Mailbox.parse(text).orElse(null) : null;
		if (mailbox == null || mailbox.name().length() > LONGEST_NAME) {
			refuse(field, "must be one address, or one Name <address>, without line breaks");
		}
		return mailbox;
	}

	private List<String> replyTo(@Nullable List<@Nullable String> asked) {
		List<String> replyTo = new ArrayList<>();
		if (asked == null) {
			return replyTo;
		}
		if (asked.size() > MOST_REPLY_TO) {
			refuse("reply_to", "has more than " + MOST_REPLY_TO + " addresses");
			return replyTo;
		}
		for (int i = 0; i < asked.size(); i++) {
			@Nullable Mailbox mailbox = mailbox("reply_to[" + i + "]", asked.get(i));
			if (mailbox != null) {
				replyTo.add(mailbox.toString());
			}
		}
		return replyTo;
	}

	private @Nullable String content(String field, @Nullable String content) {
		if (content == null || content.isEmpty()) {
			return null;
		}
		if (content.length() > LONGEST_CONTENT) {
			refuse(field, "has more than " + LONGEST_CONTENT + " characters");
		}
		else if (content.indexOf('\0') >= 0) {
			refuse(field, "must not hold the character NUL");
		}
		else {
			placeholders(field, content);
		}
		return content;
	}

	private void placeholders(String field, String text) {
		try {
			new Content(text, null, null);
		}
		catch (IllegalArgumentException broken) {
			refuse(field, String.valueOf(broken.getMessage()));
		}
	}

	private void oneSource(@Nullable UUID template, @Nullable String html, @Nullable String text) {
		if (template != null && (html != null || text != null)) {
			refuse("template_id", "stands in place of html_content and text_content: give one or the other");
		}
		if (template == null && html == null && text == null) {
			refuse("html_content", "or text_content or template_id is required: a campaign must say something");
		}
	}

	private void refuse(String field, String message) {
		this.wrong.add(new Refusal.Detail(field, message));
	}

	/**
	 * A campaign that may be kept, as far as it can be told without the database.
	 *
	 * @param sendAt null where it does not start by itself
	 */
	record Fit(String name, Mailbox from, List<String> replyTo, String subject, UUID contactBookId,
			@Nullable UUID templateId, @Nullable String htmlContent, @Nullable String textContent,
			@Nullable Instant sendAt) {

		/** Waiting for its time, or for its owner. */
		Status status() {
			return (this.sendAt != null) ? Status.SCHEDULED : Status.DRAFT;
		}

	}

}
