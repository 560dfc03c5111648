package dev.mailroom.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/** Validates the fields of a campaign. */
final class CampaignRules {

	private static final int MAX_NAME_LENGTH = 200;

	/** The longest line that mail may carry, without CRLF (RFC 5322 2.1.1). */
	private static final int MAX_SUBJECT_LENGTH = 998;

	/** Equal to the limit of a template's content. */
	private static final int MAX_CONTENT_LENGTH = 256 * 1024;

	private static final int MAX_REPLY_TO = 10;

	/** Mails per minute; a faster campaign needs no pace. */
	private static final int MAX_PACE = 100_000;

	private final FieldErrors errors = new FieldErrors();

	private CampaignRules() {
	}

	/**
	 * Checks a campaign and reports all errors at once.
	 * @param previousSendAt the time the campaign has already; it may stay, even if it is
	 * past
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static Checked check(Campaign.Form form, @Nullable Instant previousSendAt, Instant now) {
		CampaignRules rules = new CampaignRules();
		String name = rules.line("name", form.name(), MAX_NAME_LENGTH).strip();
		@Nullable Mailbox from = rules.mailbox("from", form.from());
		List<String> replyTo = rules.replyTo(form.replyTo());
		String subject = rules.line("subject", form.subject(), MAX_SUBJECT_LENGTH);
		rules.placeholders("subject", subject);
		@Nullable UUID book = form.contactBookId();
		if (book == null) {
			rules.errors.add("contact_book_id", "is required: the id of one of your contact books");
		}
		@Nullable String html = rules.content("html_content", form.htmlContent());
		@Nullable String text = rules.content("text_content", form.textContent());
		rules.oneSource(form.templateId(), html, text);
		@Nullable Instant sendAt = rules.time(form.sendAt(), previousSendAt, now);
		RecipientFilter.check(form.filter(), rules.errors);
		rules.pace(form.pace());
		rules.errors.refuseIfAny();
		return new Checked(name, Objects.requireNonNull(from), replyTo, subject, Objects.requireNonNull(book),
				form.templateId(), html, text, sendAt, (form.filter() != null) ? form.filter() : Map.of(), form.pace());
	}

	/**
	 * Parses the time at which a campaign is to start.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static Instant sendAt(@Nullable String text, Instant now) {
		CampaignRules rules = new CampaignRules();
		@Nullable Instant sendAt = rules.time(text, null, now);
		if (sendAt == null && rules.errors.isEmpty()) {
			rules.errors.add("send_at", "is required: an ISO 8601 date and time with an offset, in the future");
		}
		rules.errors.refuseIfAny();
		return Objects.requireNonNull(sendAt);
	}

	private @Nullable Instant time(@Nullable String text, @Nullable Instant previous, Instant now) {
		if (previous != null && previous.toString().equals(text)) {
			return previous;
		}
		return CheckedMail.readSendAt(text, now, this.errors);
	}

	private String line(String field, @Nullable String text, int maxLength) {
		if (text == null || text.isBlank() || text.length() > maxLength
				|| text.chars().anyMatch(EmailAddress::breaksALine)) {
			this.errors.add(field, "is required: one line of at most " + maxLength + " characters");
			return "";
		}
		return text;
	}

	private @Nullable Mailbox mailbox(String field, @Nullable String text) {
		@Nullable Mailbox mailbox = (text != null) ? Mailbox.parse(text).orElse(null) : null;
		if (mailbox == null || mailbox.name().length() > MAX_NAME_LENGTH) {
			this.errors.add(field, "must be one address, or one Name <address>, without line breaks");
		}
		return mailbox;
	}

	private List<String> replyTo(@Nullable List<@Nullable String> addresses) {
		List<String> replyTo = new ArrayList<>();
		if (addresses == null) {
			return replyTo;
		}
		if (addresses.size() > MAX_REPLY_TO) {
			this.errors.add("reply_to", "has more than " + MAX_REPLY_TO + " addresses");
			return replyTo;
		}
		for (int i = 0; i < addresses.size(); i++) {
			@Nullable Mailbox mailbox = mailbox("reply_to[" + i + "]", addresses.get(i));
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
		if (content.length() > MAX_CONTENT_LENGTH) {
			this.errors.add(field, "has more than " + MAX_CONTENT_LENGTH + " characters");
		}
		else if (content.indexOf('\0') >= 0) {
			this.errors.add(field, "must not contain the character NUL");
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
		catch (IllegalArgumentException ex) {
			this.errors.add(field, String.valueOf(ex.getMessage()));
		}
	}

	private void pace(@Nullable Integer pace) {
		if (pace != null && (pace < 1 || pace > MAX_PACE)) {
			this.errors.add("pace", "must be between 1 and " + MAX_PACE + " mails per minute");
		}
	}

	private void oneSource(@Nullable UUID template, @Nullable String html, @Nullable String text) {
		if (template != null && (html != null || text != null)) {
			this.errors.add("template_id",
					"replaces html_content and text_content: give either the template or the content");
		}
		if (template == null && html == null && text == null) {
			this.errors.add("html_content", "or text_content or template_id is required: a campaign must have content");
		}
	}

	/**
	 * A campaign whose fields are valid. Its references are not resolved yet.
	 *
	 * @param sendAt null for a draft
	 * @param filter empty for all contacts
	 * @param pace mails per minute; null without a limit
	 */
	record Checked(String name, Mailbox from, List<String> replyTo, String subject, UUID contactBookId,
			@Nullable UUID templateId, @Nullable String htmlContent, @Nullable String textContent,
			@Nullable Instant sendAt, Map<String, Object> filter, @Nullable Integer pace) {

		Checked {
			replyTo = List.copyOf(replyTo);
			if ((templateId != null) == (htmlContent != null || textContent != null)) {
				throw new IllegalArgumentException("A campaign has either a template or its own content");
			}
		}

		/** The status to store: scheduled with a time, otherwise draft. */
		CampaignStatus status() {
			return (this.sendAt != null) ? CampaignStatus.SCHEDULED : CampaignStatus.DRAFT;
		}

	}

}
