package dev.mailroom.worker.compose;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.tracking.LinkTarget;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Links of an HTML document and their positions in the text. Links are replaced in the
 * text; everything else stays unchanged, which writing a parsed document would not
 * ensure.
 */
final class HtmlLinks {

	private static final String HREF = "href";

	private static final Set<String> LINKS = Set.of("a", "area");

	/** Elements at whose end text is added; the first that is closed counts. */
	private static final List<String> ROOTS = List.of("body", "html");

	/** Attribute of links that are not tracked. */
	private static final String UNTRACKED = "data-no-track";

	/** A link that is never tracked. */
	private static final Pattern UNSUBSCRIBE_LINK = Pattern.compile("\\s*\\{\\{\\s*unsubscribe_url\\s*(\\|.*)?}}\\s*");

	private final String html;

	/** By start position. */
	private final TreeMap<Integer, Link> links = new TreeMap<>();

	private final int end;

	private boolean hasPersonalLinks;

	private HtmlLinks(String html) {
		this.html = html;
		TagReader tags = new TagReader(html, Set.of(HREF, UNTRACKED));
		Map<String, Integer> ends = new HashMap<>();
		int count = 0;
		while (tags.next()) {
			@Nullable Span href = tags.value(HREF);
			if (tags.isEndTag()) {
				if (ROOTS.contains(tags.name())) {
					ends.putIfAbsent(tags.name(), tags.start());
				}
			}
			else if (href != null && LINKS.contains(tags.name()) && !tags.hasAttribute(UNTRACKED)) {
				ComposeLimits.checkHrefs(++count);
				add(href);
			}
		}
		this.end = ROOTS.stream()
			.flatMap((name) -> Stream.ofNullable(ends.get(name)))
			.findFirst()
			.orElse(html.length());
	}

	private void add(Span href) {
		String url = Parser.unescapeEntities(this.html.substring(href.begin(), href.end()), true);
		this.hasPersonalLinks |= url.contains("{{") && !UNSUBSCRIBE_LINK.matcher(url).matches();
		LinkTarget.of(url).ifPresent((target) -> this.links.put(href.begin(), new Link(href.end(), target)));
	}

	static HtmlLinks of(String html) {
		return new HtmlLinks(html);
	}

	/**
	 * Whether a link that may be tracked has a placeholder. Its target is known only
	 * after it was rendered.
	 */
	boolean hasPersonalLinks() {
		return this.hasPersonalLinks;
	}

	/** Targets of the links with the schemes http and https. */
	Set<LinkTarget> targets() {
		return this.links.values().stream().map(Link::target).collect(Collectors.toSet());
	}

	/**
	 * The document with replaced links.
	 * @param replacement replacement of a target; empty if the link is kept
	 * @param last text added at the end of the body
	 */
	String with(Function<LinkTarget, Optional<String>> replacement, String last) {
		StringBuilder text = new StringBuilder(this.html.length() + last.length());
		append(text, 0, this.end, replacement);
		text.append(last);
		append(text, this.end, this.html.length(), replacement);
		return text.toString();
	}

	/** Copies the text once, from the first to the last link. */
	private void append(StringBuilder text, int from, int to, Function<LinkTarget, Optional<String>> replacement) {
		int copied = from;
		for (Map.Entry<Integer, Link> link : this.links.subMap(from, to).entrySet()) {
			Optional<String> url = replacement.apply(link.getValue().target());
			if (url.isPresent()) {
				text.append(this.html, copied, link.getKey()).append(url.get());
				copied = link.getValue().end();
			}
		}
		text.append(this.html, copied, to);
	}

	/** Part of the text. */
	private record Span(int begin, int end) {
	}

	private record Link(int end, LinkTarget target) {
	}

	/**
	 * Reads the tags of HTML in their order, with the positions of some attributes (HTML
	 * Standard, section 13.2.5). No tree is built: a tree can have many times the size of
	 * its text, because parsers repeat elements that are not closed. Comments and the
	 * text of elements such as style are skipped.
	 */
	private static final class TagReader {

		/** Elements whose content is text up to their end tag. */
		private static final Set<String> TEXT_ELEMENTS = Set.of("script", "style", "xmp", "iframe", "noembed",
				"noframes", "textarea", "title", "plaintext");

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

		/**
		 * Position of the end tag of an element of text, or of the end of the document.
		 */
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

	}

}
