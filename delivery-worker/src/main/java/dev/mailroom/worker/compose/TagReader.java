package dev.mailroom.worker.compose;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Reads the tags of HTML in their order, with the positions of some attributes (HTML
 * Standard, section 13.2.5). No tree is built: a tree can have many times the size of its
 * text, because parsers repeat elements that are not closed. Comments and the text of
 * elements such as style are skipped.
 */
final class TagReader {

	/** Elements whose content is text up to their end tag. */
	private static final Set<String> TEXT_ELEMENTS = Set.of("script", "style", "xmp", "iframe", "noembed", "noframes",
			"textarea", "title", "plaintext");

	private static final int MAX_NAME_LENGTH = 32;

	private final String html;

	private final Set<String> attributes;

	private final Map<String, Span> read = new HashMap<>();

	private int at;

	private int start;

	private String name = "";

	private boolean endTag;

	/**
	 * Creates a reader at the start of a document.
	 * @param attributes names of the attributes to read
	 */
	TagReader(String html, Set<String> attributes) {
		this.html = html;
		this.attributes = attributes;
	}

	/** Advances to the next tag; false if there is none. */
	boolean next() {
		if (!this.endTag && TEXT_ELEMENTS.contains(this.name)) {
			this.at = endOfText(this.name);
		}
		while (true) {
			int open = this.html.indexOf('<', this.at);
			if (open < 0 || open + 1 >= this.html.length()) {
				return false;
			}
			this.at = open + 1;
			char first = this.html.charAt(this.at);
			if (isLetter(first) || (first == '/' && isLetter(charAt(this.at + 1)))) {
				return readTag(open);
			}
			if (this.html.startsWith("!--", this.at)) {
				this.at = endOfComment(this.at + 3);
			}
			else if (first == '!' || first == '?' || first == '/') {
				this.at = after('>', this.at);
			}
		}
	}

	/** Position of the tag. */
	int start() {
		return this.start;
	}

	/** Name in lower case, shortened if it is the name of no element. */
	String name() {
		return this.name;
	}

	boolean isEndTag() {
		return this.endTag;
	}

	boolean hasAttribute(String attribute) {
		return this.read.containsKey(attribute);
	}

	/** Position of the first value of an attribute; null if it has none. */
	@Nullable Span value(String attribute) {
		@Nullable Span value = this.read.get(attribute);
		return (value == null || value.begin() < 0) ? null : value;
	}

	/** Reads the tag at the current position; false if it does not end. */
	private boolean readTag(int open) {
		this.start = open;
		this.endTag = this.html.charAt(this.at) == '/';
		this.read.clear();
		int begin = this.endTag ? this.at + 1 : this.at;
		this.at = skipName(begin, "/>");
		this.name = lower(begin, this.at);
		while (this.at < this.html.length()) {
			char character = this.html.charAt(this.at);
			if (character == '>') {
				this.at++;
				return true;
			}
			if (character == '/' || isSpace(character)) {
				this.at++;
			}
			else {
				readAttribute();
			}
		}
		return false;
	}

	private void readAttribute() {
		int begin = this.at;
		// A = at the start belongs to the name.
		this.at = skipName(begin + 1, "/>=");
		String attribute = lower(begin, this.at);
		int next = skipSpace(this.at);
		Span value = new Span(-1, -1);
		if (charAt(next) == '=') {
			value = readValue(skipSpace(next + 1));
		}
		if (this.attributes.contains(attribute)) {
			this.read.putIfAbsent(attribute, value);
		}
	}

	private Span readValue(int begin) {
		char quote = charAt(begin);
		if (quote == '"' || quote == '\'') {
			int end = this.html.indexOf(quote, begin + 1);
			this.at = (end < 0) ? this.html.length() : end + 1;
			return new Span(begin + 1, (end < 0) ? this.at : end);
		}
		this.at = skipName(begin, ">");
		return new Span(begin, this.at);
	}

	/** Position of the end tag of an element of text, or of the end of the document. */
	private int endOfText(String element) {
		for (int end = this.html.indexOf("</", this.at); end >= 0; end = this.html.indexOf("</", end + 2)) {
			int after = end + 2 + element.length();
			boolean same = this.html.regionMatches(true, end + 2, element, 0, element.length());
			if (same && (isSpace(charAt(after)) || charAt(after) == '/' || charAt(after) == '>')
					&& !element.equals("plaintext")) {
				return end;
			}
		}
		return this.html.length();
	}

	/** Position after a comment whose text begins at a position. */
	private int endOfComment(int begin) {
		if (charAt(begin) == '>') {
			return begin + 1;
		}
		// <!---> is a comment as well: its dashes count for both ends.
		for (int dashes = this.html.indexOf("--", begin - 1); dashes >= 0; dashes = this.html.indexOf("--",
				dashes + 1)) {
			if (charAt(dashes + 2) == '>') {
				return dashes + 3;
			}
			if (dashes >= begin && charAt(dashes + 2) == '!' && charAt(dashes + 3) == '>') {
				return dashes + 4;
			}
		}
		return this.html.length();
	}

	private int after(char character, int from) {
		int found = this.html.indexOf(character, from);
		return (found < 0) ? this.html.length() : found + 1;
	}

	/** Position of the first space or delimiter. */
	private int skipName(int from, String delimiters) {
		int position = from;
		while (position < this.html.length() && !isSpace(this.html.charAt(position))
				&& delimiters.indexOf(this.html.charAt(position)) < 0) {
			position++;
		}
		return Math.min(position, this.html.length());
	}

	private int skipSpace(int from) {
		int position = from;
		while (position < this.html.length() && isSpace(this.html.charAt(position))) {
			position++;
		}
		return position;
	}

	private String lower(int begin, int end) {
		return this.html.substring(begin, Math.min(end, begin + MAX_NAME_LENGTH)).toLowerCase(Locale.ROOT);
	}

	private char charAt(int position) {
		return (position < this.html.length()) ? this.html.charAt(position) : 0;
	}

	private static boolean isLetter(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
	}

	private static boolean isSpace(char character) {
		return character == ' ' || character == '\t' || character == '\n' || character == '\r' || character == '\f';
	}

	/** Part of the text. */
	record Span(int begin, int end) {
	}

}
