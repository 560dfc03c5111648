package dev.mailroom.api.docs;

import java.util.regex.Pattern;

import org.springframework.web.util.HtmlUtils;

/** Turns the document's texts into HTML. */
final class Html {

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern STRONG = Pattern.compile("\\*\\*([^*]+)\\*\\*");

	private Html() {
	}

	static String escaped(String text) {
		return HtmlUtils.htmlEscape(text, "UTF-8");
	}

	/** A line, with what stands between backticks as code. */
	static String line(String text) {
		String escaped = CODE.matcher(escaped(text)).replaceAll("<code>$1</code>");
		return STRONG.matcher(escaped).replaceAll("<strong>$1</strong>");
	}

	/** Paragraphs, parted by empty lines. */
	static String paragraphs(String text) {
		StringBuilder html = new StringBuilder();
		for (String paragraph : text.strip().split("\n\\s*\n", -1)) {
			if (!paragraph.isBlank()) {
				html.append("<p>").append(line(paragraph)).append("</p>\n");
			}
		}
		return html.toString();
	}

	/** What a link within the page leads to. */
	static String anchor(String text) {
		return text.replaceAll("[^A-Za-z0-9]+", "-");
	}

}
