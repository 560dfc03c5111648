package dev.mailroom.template;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Content of a mail with placeholders. It is parsed once and can be rendered many times;
 * the same content and variables always give the same mail.
 */
public final class Content {

	private final @Nullable TemplateText subject;

	private final @Nullable TemplateText html;

	private final @Nullable TemplateText text;

	/**
	 * Parses content that was validated when it was saved.
	 * @throws IllegalArgumentException if a placeholder is malformed nevertheless
	 */
	public Content(@Nullable String subject, @Nullable String html, @Nullable String text) {
		this.subject = (subject != null) ? TemplateText.parse(subject) : null;
		this.html = (html != null) ? TemplateText.parse(html) : null;
		this.text = (text != null) ? TemplateText.parse(text) : null;
	}

	/** The distinct names of the placeholders in the subject, the HTML and the text. */
	public List<String> variables() {
		return Stream.of(names(this.subject), names(this.html), names(this.text))
			.flatMap(List::stream)
			.distinct()
			.toList();
	}

	/**
	 * Renders the content. A placeholder without a value becomes its fallback, or empty.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the mail would become
	 * too large, or its subject longer than one line
	 */
	public Rendered render(Map<String, String> variables) {
		SequencedSet<String> missing = new LinkedHashSet<>();
		String subject = (this.subject != null) ? this.subject.renderPlain(variables, missing) : null;
		String html = (this.html != null) ? this.html.renderHtml(variables, missing) : null;
		String text = (this.text != null) ? this.text.renderPlain(variables, missing) : null;
		TemplateRules.checkRenderedSubject(subject);
		return new Rendered(subject, html, text, List.copyOf(missing));
	}

	private static List<String> names(@Nullable TemplateText text) {
		return (text != null) ? text.names() : List.of();
	}

	/**
	 * Rendered content.
	 *
	 * @param missing names of placeholders that had neither a value nor a fallback
	 */
	public record Rendered(@Nullable String subject, @Nullable String html, @Nullable String text,
			List<String> missing) {

		public Rendered {
			missing = List.copyOf(missing);
		}

	}

}
