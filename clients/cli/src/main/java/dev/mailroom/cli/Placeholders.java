package dev.mailroom.cli;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.cli.TemplateFolder.Content;
import org.jspecify.annotations.Nullable;

/** Placeholders of templates: {@code {{name}}} and {@code {{name|fallback}}}. */
final class Placeholders {

	private static final Pattern PLACEHOLDER = Pattern
		.compile("\\{\\{\\s*([\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{0,63})\\s*(?:\\|([^{}]*))?}}");

	private Placeholders() {
	}

	static Set<String> names(Content content) {
		Set<String> names = new TreeSet<>();
		Stream.of(content.subject(), content.html(), content.text()).forEach((text) -> {
			Matcher matcher = PLACEHOLDER.matcher((text != null) ? text : "");
			while (matcher.find()) {
				names.add(matcher.group(1));
			}
		});
		return names;
	}

	/**
	 * Replaces placeholders as the server does.
	 * @param missing gets the names without a value and a fallback
	 */
	static String render(@Nullable String text, boolean html, Map<?, ?> values, Set<String> missing) {
		return PLACEHOLDER.matcher((text != null) ? text : "").replaceAll((match) -> {
			Object given = values.get(match.group(1));
			String value = (given != null && !given.toString().isBlank()) ? given.toString() : match.group(2);
			if (value == null) {
				missing.add(match.group(1));
			}
			String shown = (value != null) ? value.strip() : "";
			return Matcher.quoteReplacement(html ? escaped(shown) : shown);
		});
	}

	static String escaped(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
	}

}
