package dev.mailroom.template;

import java.util.ArrayList;
import java.util.List;

import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import org.jspecify.annotations.Nullable;

/** Validates the fields of a template and the size of rendered mails. */
final class TemplateRules {

	private static final int MAX_NAME_LENGTH = 200;

	/** The longest line that mail may carry, without CRLF (RFC 5322 2.1.1). */
	private static final int MAX_SUBJECT_LENGTH = 998;

	/** Lists contain whole templates: a page of them must fit into memory. */
	private static final int MAX_CONTENT_LENGTH = 256 * 1024;

	/** A placeholder can be repeated, which multiplies a long variable. */
	private static final int MAX_RENDERED_LENGTH = 2 * 1024 * 1024;

	private static final int MAX_VARIABLES = 200;

	private final List<TemplateProblem> problems = new ArrayList<>();

	private TemplateRules() {
	}

	/**
	 * Checks a template and reports all errors at once. Empty contents become null.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static Checked check(Template.Form form) {
		TemplateRules rules = new TemplateRules();
		String name = rules.name(form.name());
		@Nullable String subject = rules.subject(emptyToNull(form.subject()));
		@Nullable String html = rules.content("html_content", emptyToNull(form.htmlContent()));
		@Nullable String text = rules.content("text_content", emptyToNull(form.textContent()));
		if (html == null && text == null) {
			rules.reject("html_content", "or text_content is required: at least one of them must be given");
		}
		List<String> variables = rules.variables(subject, html, text);
		FieldErrors errors = new FieldErrors();
		rules.problems.forEach((problem) -> errors.add(problem.field(), problem.message()));
		errors.refuseIfAny();
		return new Checked(name, subject, html, text, variables);
	}

	/** The problems of content that is not saved yet; without a body it has none. */
	static List<TemplateProblem> problems(Template.Form form) {
		TemplateRules rules = new TemplateRules();
		rules.variables(rules.subject(form.subject()), rules.content("html_content", form.htmlContent()),
				rules.content("text_content", form.textContent()));
		return List.copyOf(rules.problems);
	}

	/** The names of the placeholders; none if the content has problems. */
	private List<String> variables(@Nullable String subject, @Nullable String html, @Nullable String text) {
		if (!this.problems.isEmpty()) {
			return List.of();
		}
		List<String> variables = new Content(subject, html, text).variables();
		if (variables.size() > MAX_VARIABLES) {
			reject("html_content",
					"has, with subject and text_content, more than " + MAX_VARIABLES + " different variables");
		}
		return variables;
	}

	/**
	 * Refuses a rendered subject with a line break, or one too long for a header line.
	 */
	static void checkRenderedSubject(@Nullable String subject) {
		if (subject != null && subject.chars().anyMatch(EmailAddress::breaksALine)) {
			throw TemplateRefusals.invalid("variables",
					"make the subject more than one line: its variables may not contain line breaks or control characters");
		}
		if (subject != null && subject.length() > MAX_SUBJECT_LENGTH) {
			throw TemplateRefusals.invalid("variables",
					"make the subject longer than " + MAX_SUBJECT_LENGTH + " characters");
		}
	}

	/** Refuses a rendered text that grows too long, while it is rendered. */
	static void checkRenderedLength(int length) {
		if (length > MAX_RENDERED_LENGTH) {
			throw TemplateRefusals.invalid("variables",
					"make the mail longer than " + MAX_RENDERED_LENGTH + " characters");
		}
	}

	private static @Nullable String emptyToNull(@Nullable String text) {
		return (text == null || text.isEmpty()) ? null : text;
	}

	private String name(@Nullable String text) {
		String name = (text != null) ? text.strip() : "";
		if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || name.chars().anyMatch(EmailAddress::breaksALine)) {
			reject("name", "is required: one line of at most " + MAX_NAME_LENGTH + " characters");
		}
		return name;
	}

	private @Nullable String subject(@Nullable String subject) {
		if (subject != null && subject.chars().anyMatch(EmailAddress::breaksALine)) {
			reject("subject", "must be one line, without control characters");
		}
		return placeholders("subject", subject, MAX_SUBJECT_LENGTH);
	}

	private @Nullable String content(String field, @Nullable String content) {
		if (content != null && content.indexOf('\0') >= 0) {
			reject(field, "must not contain the character NUL");
		}
		return placeholders(field, content, MAX_CONTENT_LENGTH);
	}

	private @Nullable String placeholders(String field, @Nullable String text, int maxLength) {
		if (text != null && text.length() > maxLength) {
			reject(field, "has more than " + maxLength + " characters");
		}
		else if (text != null) {
			try {
				TemplateText.parse(text);
			}
			catch (TemplateText.BrokenPlaceholder ex) {
				this.problems.add(new TemplateProblem(field, ex.line(), ex.column(), String.valueOf(ex.getMessage())));
			}
		}
		return text;
	}

	private void reject(String field, String message) {
		this.problems.add(new TemplateProblem(field, null, null, message));
	}

	/** A template whose fields are valid. */
	record Checked(String name, @Nullable String subject, @Nullable String htmlContent, @Nullable String textContent,
			List<String> variables) {

		Checked {
			variables = List.copyOf(variables);
			if (htmlContent == null && textContent == null) {
				throw new IllegalArgumentException("A template needs HTML or text");
			}
		}

	}

}
