package dev.mailroom.worker.compose;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.tracking.LinkTarget;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Range;
import org.jsoup.parser.Parser;

/**
 * Where the links of an HTML document stand, as a browser reads it. Other links are put
 * in their place, and everything between them stays as it was written, to the last
 * character: a document that is parsed and written anew is another one.
 */
final class HtmlLinks {

	/** A link with this attribute leads where it says, without us. */
	private static final String UNTRACKED = "data-no-track";

	private final String html;

	/** By where they begin. Misnested elements stand in the tree twice, and here once. */
	private final TreeMap<Integer, Link> links = new TreeMap<>();

	private final int end;

	private HtmlLinks(String html, Document document) {
		this.html = html;
		this.end = end(html, document);
		for (Element element : document.select("a[href], area[href]")) {
			Range place = element.attributes().sourceRange("href").valueRange();
			if (place.isTracked() && !element.hasAttr(UNTRACKED)) {
				LinkTarget.of(element.attr("href"))
					.ifPresent((target) -> this.links.put(place.startPos(), new Link(place.endPos(), target)));
			}
		}
	}

	static HtmlLinks of(String html) {
		return new HtmlLinks(html, Parser.htmlParser().setTrackPosition(true).parseInput(html, ""));
	}

	/** Just before the body ends, or the document. */
	private static int end(String html, Document document) {
		return Stream.of(Optional.of(document.body()), Optional.ofNullable(document.firstElementChild()))
			.flatMap(Optional::stream)
			.map(Element::endSourceRange)
			.filter((end) -> end.isTracked() && !end.isImplicit())
			.map(Range::startPos)
			.findFirst()
			.orElse(html.length());
	}

	/** What its links lead to, of http and https alone. */
	Set<LinkTarget> targets() {
		return this.links.values().stream().map(Link::target).collect(Collectors.toSet());
	}

	/**
	 * The document with other links.
	 * @param replaced the link to put in a target's place; empty where it stays
	 * @param last what stands at the document's end
	 */
	String with(Function<LinkTarget, Optional<String>> replaced, String last) {
		StringBuilder text = new StringBuilder(this.html.length() + last.length());
		append(text, 0, this.end, replaced);
		text.append(last);
		append(text, this.end, this.html.length(), replaced);
		return text.toString();
	}

	/** From front to back: a document of very many links is still written but once. */
	private void append(StringBuilder text, int from, int to, Function<LinkTarget, Optional<String>> replaced) {
		int done = from;
		for (Map.Entry<Integer, Link> link : this.links.subMap(from, to).entrySet()) {
			Optional<String> other = replaced.apply(link.getValue().target());
			if (other.isPresent()) {
				text.append(this.html, done, link.getKey()).append(other.get());
				done = link.getValue().end();
			}
		}
		text.append(this.html, done, to);
	}

	private record Link(int end, LinkTarget target) {
	}

}
