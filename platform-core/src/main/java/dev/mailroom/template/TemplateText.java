package dev.mailroom.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Text with placeholders: <code>{{name}}</code> or <code>{{name|fallback}}</code>, each
 * with spaces around its parts where wanted.
 */
record TemplateText(List<TextPart> parts) {

	private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{0,63}");

	/** What an error message shows of a broken placeholder. */
	private static final int SHOWN = 40;

	/** Reads the text, or says where its first broken placeholder is. */
	static TemplateText read(String text) {
		List<TextPart> parts = new ArrayList<>();
		int at = 0;
		for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", at)) {
			int close = text.indexOf("}}", open + 2);
			if (close < 0) {
				throw broken(text, open, text.length(), "is not closed by }}");
			}
			if (open > at) {
				parts.add(new TextPart.Literal(text.substring(at, open)));
			}
			parts.add(placeholder(text, open, close));
			at = close + 2;
		}
		if (at < text.length()) {
			parts.add(new TextPart.Literal(text.substring(at)));
		}
		return new TemplateText(List.copyOf(parts));
	}

	private static TextPart placeholder(String text, int open, int close) {
		String inside = text.substring(open + 2, close);
		int bar = inside.indexOf('|');
		String name = ((bar < 0) ? inside : inside.substring(0, bar)).strip();
		if (!NAME.matcher(name).matches()) {
			throw broken(text, open, close + 2,
					"has no name of 1 to 64 letters, digits, _, - and ., as in {{name}} or {{name|fallback}}");
		}
		@Nullable String fallback = (bar < 0) ? null : inside.substring(bar + 1).strip();
		if (fallback != null && fallback.contains("{{")) {
			throw broken(text, open, close + 2, "holds another placeholder");
		}
		return new TextPart.Placeholder(name, fallback);
	}

	private static IllegalArgumentException broken(String text, int open, int end, String fault) {
		String shown = text.substring(open, Math.min(end, open + SHOWN));
		int line = 1 + (int) text.substring(0, open).chars().filter((character) -> character == '\n').count();
		int column = open - text.lastIndexOf('\n', open);
		return new IllegalArgumentException(
				"has a broken placeholder at line " + line + ", column " + column + ": " + shown + " " + fault);
	}

	List<String> names() {
		List<String> names = new ArrayList<>();
		for (TextPart part : this.parts) {
			if (part instanceof TextPart.Placeholder placeholder) {
				names.add(placeholder.name());
			}
		}
		return names;
	}

	/** Fills it in as it is. */
	String plain(Map<String, String> variables, Set<String> missing) {
		return render(variables, missing, UnaryOperator.identity());
	}

	/** Fills it in as text within HTML: no variable brings markup along. */
	String escaped(Map<String, String> variables, Set<String> missing) {
		return render(variables, missing, TemplateText::escape);
	}

	private String render(Map<String, String> variables, Set<String> missing, UnaryOperator<String> fit) {
		StringBuilder rendered = new StringBuilder();
		for (TextPart part : this.parts) {
			rendered.append(switch (part) {
				case TextPart.Literal(var text) -> text;
				case TextPart.Placeholder placeholder -> fit.apply(value(placeholder, variables, missing));
			});
			TemplateRules.renderedLength(rendered.length());
		}
		return rendered.toString();
	}

	private static String value(TextPart.Placeholder placeholder, Map<String, String> variables, Set<String> missing) {
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

}
