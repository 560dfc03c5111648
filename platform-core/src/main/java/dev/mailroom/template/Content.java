package dev.mailroom.template;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What a template says. Parsed once, rendered as often as wanted; the same content and
 * variables always give the same mail.
 */
public final class Content {

	private final @Nullable TemplateText subject;

	private final @Nullable TemplateText html;

	private final @Nullable TemplateText text;

	/**
	 * Reads content that was looked at when it was saved.
	 * @throws IllegalArgumentException where it was not, and a placeholder is broken
	 */
	public Content(@Nullable String subject, @Nullable String html, @Nullable String text) {
		this.subject = (subject != null) ? TemplateText.read(subject) : null;
		this.html = (html != null) ? TemplateText.read(html) : null;
		this.text = (text != null) ? TemplateText.read(text) : null;
	}

	/** The distinct names of its placeholders: subject first, then html, then text. */
	public List<String> variables() {
		return Stream.of(names(this.subject), names(this.html), names(this.text))
			.flatMap(List::stream)
			.distinct()
			.toList();
	}

	/**
	 * Fills it in. A variable that is not there is its placeholder's fallback, or empty.
	 * @throws dev.mailroom.Refused {@code Invalid request data} where the mail would
	 * become too large, or its subject more than one line
	 */
	public Rendered render(Map<String, String> variables) {
		SequencedSet<String> missing = new LinkedHashSet<>();
		String subject = (this.subject != null) ? this.subject.plain(variables, missing) : null;
		String html = (this.html != null) ? this.html.escaped(variables, missing) : null;
		String text = (this.text != null) ? this.text.plain(variables, missing) : null;
		TemplateRules.renderedSubject(subject);
		return new Rendered(subject, html, text, List.copyOf(missing));
	}

	private static List<String> names(@Nullable TemplateText wording) {
		return (wording != null) ? wording.names() : List.of();
	}

	/**
	 * A template, filled in.
	 *
	 * @param missing variables that some placeholder without a fallback asked for in vain
	 */
	public record Rendered(@Nullable String subject, @Nullable String html, @Nullable String text,
			List<String> missing) {
	}

}
