package dev.mailroom.template;

import java.util.ArrayList;
import java.util.List;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/** What a template may hold, and how large what is made of it may become. */
final class TemplateRules {

	private static final int LONGEST_NAME = 200;

	/** The longest line that mail may carry, without its end (RFC 5322 2.1.1). */
	private static final int LONGEST_SUBJECT = 998;

	/** Lists show templates whole: a page of them must fit into memory. */
	private static final int LONGEST_CONTENT = 256 * 1024;

	/** A short template and a long variable make a mail far longer than both. */
	private static final int LONGEST_RENDERED = 2 * 1024 * 1024;

	private static final int MOST_VARIABLES = 200;

	private final List<Refusal.Detail> wrong = new ArrayList<>();

	private TemplateRules() {
	}

	/**
	 * Looks at what was asked for and says everything that is wrong with it at once.
	 * @return the same, without what is empty
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static Fit check(Template.Asked asked) {
		TemplateRules rules = new TemplateRules();
		String name = rules.name(asked.name());
		@Nullable String subject = rules.subject(given(asked.subject()));
		@Nullable String html = rules.content("html_content", given(asked.htmlContent()));
		@Nullable String text = rules.content("text_content", given(asked.textContent()));
		if (html == null && text == null) {
			rules.refuse("html_content", "or text_content is required: at least one of them must be given");
		}
		if (!rules.wrong.isEmpty()) {
			throw TemplateRefusals.invalid(rules.wrong);
		}
		List<String> variables = new Content(subject, html, text).variables();
		if (variables.size() > MOST_VARIABLES) {
			throw TemplateRefusals.invalid("html_content",
					"has, with subject and text_content, more than " + MOST_VARIABLES + " different variables");
		}
		return new Fit(name, subject, html, text, variables);
	}

	/** Refuses a subject that would end its header early, or no mail could carry. */
	static void renderedSubject(@Nullable String subject) {
		if (subject != null && subject.chars().anyMatch(EmailAddress::breaksALine)) {
			throw TemplateRefusals.invalid("variables",
					"make the subject more than one line: none in it may hold a line break or a control character");
		}
		if (subject != null && subject.length() > LONGEST_SUBJECT) {
			throw TemplateRefusals.invalid("variables",
					"make the subject longer than " + LONGEST_SUBJECT + " characters");
		}
	}

	/** Refuses what grows too large, before it has. */
	static void renderedLength(int length) {
		if (length > LONGEST_RENDERED) {
			throw TemplateRefusals.invalid("variables",
					"make the mail longer than " + LONGEST_RENDERED + " characters");
		}
	}

	private static @Nullable String given(@Nullable String text) {
		return (text == null || text.isEmpty()) ? null : text;
	}

	private String name(@Nullable String asked) {
		String name = (asked != null) ? asked.strip() : "";
		if (name.isEmpty() || name.length() > LONGEST_NAME || name.chars().anyMatch(EmailAddress::breaksALine)) {
			refuse("name", "is required: one line of at most " + LONGEST_NAME + " characters");
		}
		return name;
	}

	private @Nullable String subject(@Nullable String subject) {
		if (subject != null && subject.chars().anyMatch(EmailAddress::breaksALine)) {
			refuse("subject", "must be one line, without control characters");
		}
		return placeholders("subject", subject, LONGEST_SUBJECT);
	}

	private @Nullable String content(String field, @Nullable String content) {
		if (content != null && content.indexOf('\0') >= 0) {
			refuse(field, "must not hold the character NUL");
		}
		return placeholders(field, content, LONGEST_CONTENT);
	}

	private @Nullable String placeholders(String field, @Nullable String text, int longest) {
		if (text != null && text.length() > longest) {
			refuse(field, "has more than " + longest + " characters");
		}
		else if (text != null) {
			try {
				TemplateText.read(text);
			}
			catch (IllegalArgumentException broken) {
				refuse(field, String.valueOf(broken.getMessage()));
			}
		}
		return text;
	}

	private void refuse(String field, String message) {
		this.wrong.add(new Refusal.Detail(field, message));
	}

	/** A template that may be kept. */
	record Fit(String name, @Nullable String subject, @Nullable String htmlContent, @Nullable String textContent,
			List<String> variables) {
	}

}
