package dev.mailroom.worker.compose;

import java.util.HashMap;
import java.util.List;
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
			TagReader.@Nullable Span href = tags.value(HREF);
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

	private void add(TagReader.Span href) {
		String url = Parser.unescapeEntities(this.html.substring(href.begin(), href.end()), true);
		this.hasPersonalLinks |= url.contains("{{") && !UNSUBSCRIBE_LINK.matcher(url).matches();
		LinkTarget.of(url).ifPresent((target) -> this.links.put(href.begin(), new Link(href.end(), target)));
	}

	static HtmlLinks of(String html) {
		return new HtmlLinks(html);
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
