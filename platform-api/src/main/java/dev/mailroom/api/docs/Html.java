package dev.mailroom.api.docs;

import java.util.regex.Pattern;

import org.springframework.web.util.HtmlUtils;

/** Conversion of texts of the OpenAPI document to HTML. */
final class Html {

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern STRONG = Pattern.compile("\\*\\*([^*]+)\\*\\*");

	private Html() {
	}

	static String escaped(String text) {
		return HtmlUtils.htmlEscape(text, "UTF-8");
	}

	/**
	 * Converts a line; text in backticks becomes code, text in double asterisks is
	 * strong.
	 */
	static String line(String text) {
		String escaped = CODE.matcher(escaped(text)).replaceAll("<code>$1</code>");
		return STRONG.matcher(escaped).replaceAll("<strong>$1</strong>");
	}

	/** Converts paragraphs that are separated by empty lines. */
	static String paragraphs(String text) {
		StringBuilder html = new StringBuilder();
		for (String paragraph : text.strip().split("\n\\s*\n", -1)) {
			if (!paragraph.isBlank()) {
				html.append("<p>").append(line(paragraph)).append("</p>\n");
			}
		}
		return html.toString();
	}

	/** The anchor of a heading. */
	static String anchor(String text) {
		return text.replaceAll("[^A-Za-z0-9]+", "-");
	}

}
