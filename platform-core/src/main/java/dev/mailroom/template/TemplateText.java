package dev.mailroom.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A text with placeholders: <code>{{name}}</code> or <code>{{name|fallback}}</code>, with
 * optional spaces around the name and the fallback.
 */
record TemplateText(List<Part> parts) {

	private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{0,63}");

	/** The length of the excerpt in an error message. */
	private static final int EXCERPT_LENGTH = 40;

	TemplateText {
		parts = List.copyOf(parts);
	}

	/**
	 * Parses a text.
	 * @throws BrokenPlaceholder at the first malformed placeholder
	 */
	static TemplateText parse(String text) {
		List<Part> parts = new ArrayList<>();
		int position = 0;
		for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", position)) {
			int close = text.indexOf("}}", open + 2);
			if (close < 0) {
				throw malformed(text, open, text.length(), "is not closed by }}");
			}
			if (open > position) {
				parts.add(new Literal(text.substring(position, open)));
			}
			parts.add(placeholder(text, open, close));
			position = close + 2;
		}
		if (position < text.length()) {
			parts.add(new Literal(text.substring(position)));
		}
		return new TemplateText(parts);
	}

	private static Placeholder placeholder(String text, int open, int close) {
		String inside = text.substring(open + 2, close);
		int bar = inside.indexOf('|');
		String name = ((bar < 0) ? inside : inside.substring(0, bar)).strip();
		if (!NAME.matcher(name).matches()) {
			throw malformed(text, open, close + 2,
					"has no name of 1 to 64 letters, digits, _, - and ., as in {{name}} or {{name|fallback}}");
		}
		@Nullable String fallback = (bar < 0) ? null : inside.substring(bar + 1).strip();
		if (fallback != null && fallback.contains("{{")) {
			throw malformed(text, open, close + 2, "contains another placeholder");
		}
		return new Placeholder(name, fallback);
	}

	private static BrokenPlaceholder malformed(String text, int open, int end, String fault) {
		String excerpt = text.substring(open, Math.min(end, open + EXCERPT_LENGTH));
		int line = 1 + (int) text.substring(0, open).chars().filter((character) -> character == '\n').count();
		int column = open - text.lastIndexOf('\n', open);
		return new BrokenPlaceholder(line, column, excerpt + " " + fault);
	}

	/** The names of the placeholders in order of appearance, with repetitions. */
	List<String> names() {
		List<String> names = new ArrayList<>();
		for (Part part : this.parts) {
			if (part instanceof Placeholder placeholder) {
				names.add(placeholder.name());
			}
		}
		return names;
	}

	/**
	 * Renders the text without escaping.
	 * @param missing receives the names without a value and without a fallback
	 */
	String renderPlain(Map<String, String> variables, Set<String> missing) {
		return render(variables, missing, UnaryOperator.identity());
	}

	/**
	 * Renders the text with values and fallbacks escaped for HTML.
	 * @param missing receives the names without a value and without a fallback
	 */
	String renderHtml(Map<String, String> variables, Set<String> missing) {
		return render(variables, missing, TemplateText::escape);
	}

	private String render(Map<String, String> variables, Set<String> missing, UnaryOperator<String> escaping) {
		StringBuilder rendered = new StringBuilder();
		for (Part part : this.parts) {
			rendered.append(switch (part) {
				case Literal(var text) -> text;
				case Placeholder placeholder -> escaping.apply(value(placeholder, variables, missing));
			});
			TemplateRules.checkRenderedLength(rendered.length());
		}
		return rendered.toString();
	}

	private static String value(Placeholder placeholder, Map<String, String> variables, Set<String> missing) {
		@Nullable String value = variables.get(placeholder.name());
		if (placeholder.fallback() != null) {
			return (value == null || value.isBlank()) ? placeholder.fallback() : value;
		}
		if (value == null) {
			missing.add(placeholder.name());
		}
		return (value != null) ? value : "";
	}

	private static String escape(String text) {
		StringBuilder escaped = new StringBuilder(text.length());
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			switch (character) {
				case '&' -> escaped.append("&amp;");
				case '<' -> escaped.append("&lt;");
				case '>' -> escaped.append("&gt;");
				case '"' -> escaped.append("&quot;");
				case '\'' -> escaped.append("&#39;");
				default -> escaped.append(character);
			}
		}
		return escaped.toString();
	}

	/** A malformed placeholder. The message gives its line and column, counted from 1. */
	static final class BrokenPlaceholder extends IllegalArgumentException {

		private static final long serialVersionUID = 1L;

		private final int line;

		private final int column;

		BrokenPlaceholder(int line, int column, String fault) {
			super("has a broken placeholder at line " + line + ", column " + column + ": " + fault);
			this.line = line;
			this.column = column;
		}

		int line() {
			return this.line;
		}

		int column() {
			return this.column;
		}

	}

	/** A piece of the text. */
	sealed interface Part {

	}

	/** Text outside of placeholders. */
	record Literal(String text) implements Part {
	}

	/**
	 * A placeholder.
	 *
	 * @param fallback rendered if the variable is absent or blank; null without one
	 */
	record Placeholder(String name, @Nullable String fallback) implements Part {
	}

}
