package dev.mailroom.worker.compose;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.tracking.LinkTarget;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Range;
import org.jsoup.parser.Parser;

/**
 * Links of an HTML document and their positions in the text. Links are replaced in the
 * text; everything else stays unchanged, which writing a parsed document would not
 * ensure.
 */
final class HtmlLinks {

	/** Attribute of links that are not tracked. */
	private static final String UNTRACKED = "data-no-track";

	/** A link that is never tracked. */
	private static final Pattern UNSUBSCRIBE_LINK = Pattern.compile("\\s*\\{\\{\\s*unsubscribe_url\\s*(\\|.*)?}}\\s*");

	private final String html;

	/** By start position, because malformed nesting duplicates elements in the tree. */
	private final TreeMap<Integer, Link> links = new TreeMap<>();

	private final int end;

	private boolean hasPersonalLinks;

	private HtmlLinks(String html, Document document) {
		this.html = html;
		this.end = end(html, document);
		for (Element element : document.select("a[href], area[href]")) {
			this.hasPersonalLinks |= element.attr("href").contains("{{") && !element.hasAttr(UNTRACKED)
					&& !UNSUBSCRIBE_LINK.matcher(element.attr("href")).matches();
			Range position = element.attributes().sourceRange("href").valueRange();
			if (position.isTracked() && !element.hasAttr(UNTRACKED)) {
				LinkTarget.of(element.attr("href"))
					.ifPresent((target) -> this.links.put(position.startPos(), new Link(position.endPos(), target)));
			}
		}
	}

	static HtmlLinks of(String html) {
		ComposeLimits.checkTags(html);
		return new HtmlLinks(html, Parser.htmlParser().setTrackPosition(true).parseInput(html, ""));
	}

	/** Position of the end tag of the body, or the end of the document. */
	private static int end(String html, Document document) {
		return Stream.of(Optional.of(document.body()), Optional.ofNullable(document.firstElementChild()))
			.flatMap(Optional::stream)
			.map(Element::endSourceRange)
			.filter((end) -> end.isTracked() && !end.isImplicit())
			.map(Range::startPos)
			.findFirst()
			.orElse(html.length());
	}

	/**
	 * Whether a link that may be tracked has a placeholder, so that its target is known
	 * only after it was rendered.
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

	private record Link(int end, LinkTarget target) {
	}

}
