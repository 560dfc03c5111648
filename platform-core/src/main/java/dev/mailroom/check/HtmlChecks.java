package dev.mailroom.check;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

import static dev.mailroom.check.ContentFinding.Check.ALT;
import static dev.mailroom.check.ContentFinding.Check.CONTRAST;
import static dev.mailroom.check.ContentFinding.Check.DOCUMENT;
import static dev.mailroom.check.ContentFinding.Check.IMAGES;
import static dev.mailroom.check.ContentFinding.Check.LINKS;
import static dev.mailroom.check.ContentFinding.Check.PREHEADER;

/** Checks of the HTML of a mail. */
final class HtmlChecks {

	private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{[^}]*}}");

	private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):.*", Pattern.DOTALL);

	/** Group 1 is the host. */
	private static final Pattern WEB_ADDRESS = Pattern.compile(
			"https?://(?:[^\\s/?#@]*@)?([\\p{L}\\p{N}_.-]+|\\[[0-9a-fA-F:.]+])(?::\\d+)?(?:[/?#]\\S*)?",
			Pattern.CASE_INSENSITIVE);

	/** Hosts that only machines of the author's network reach. */
	private static final Pattern LOCAL = Pattern.compile(
			"localhost|127\\..*|10\\..*|192\\.168\\..*|172\\.(?:1[6-9]|2\\d|3[01])\\..*|\\[::1]|.*\\.(?:localhost|local|internal)",
			Pattern.CASE_INSENSITIVE);

	/** Characters without ink, with which authors keep other text out of the inbox. */
	private static final Pattern FILLER = Pattern.compile("[\\s\\u00a0\\u034f\\u200b-\\u200d\\u2007\\ufeff]+");

	private static final int MAX_EXCERPT = 60;

	/** Larger images make readers on phones wait. */
	private static final int MAX_IMAGE = 300 * 1024;

	private static final int MAX_IMAGES = 1024 * 1024;

	private final Document document;

	private final ContentChecks.Source source;

	private final Findings findings;

	HtmlChecks(String html, ContentChecks.Source source, Findings findings) {
		this.document = Jsoup.parse(html);
		this.source = source;
		this.findings = findings;
		document(COMMENT.matcher(html).replaceAll(""));
		preheader();
		links();
		images();
		NodeTraversor.traverse(new ContrastCheck(findings), this.document.body());
		findings.pass(CONTRAST, "Text with colours of its own can be read on its background.");
	}

	/** The text that readers see. */
	String visibleText() {
		return this.document.body().text();
	}

	private void document(String html) {
		for (String tag : new String[] { "!doctype", "html", "body" }) {
			long count = Pattern.compile("<" + tag + "[\\s>]", Pattern.CASE_INSENSITIVE)
				.matcher(html)
				.results()
				.count();
			if (count > 1) {
				this.findings.error(DOCUMENT, "There are " + count + " of <" + tag
						+ ">: one document is inside another, and mail programs show it differently.");
			}
			else if (count == 0 && tag.equals("!doctype")) {
				this.findings.warn(DOCUMENT, "It does not begin with <!doctype html>: some mail programs then guess.");
			}
		}
		if (!this.document.select("script").isEmpty()) {
			this.findings.warn(DOCUMENT, "Mail programs remove scripts.");
		}
		this.findings.pass(DOCUMENT, "It is one document.");
	}

	private void preheader() {
		this.document.body()
			.nodeStream(TextNode.class)
			.filter((text) -> !text.isBlank())
			.findFirst()
			.ifPresentOrElse(this::preheader,
					() -> this.findings.warn(PREHEADER, "There is no text to show after the subject."));
	}

	private void preheader(TextNode first) {
		String begin = excerpt(FILLER.matcher(first.text()).replaceAll(" ").strip());
		@Nullable Element parent = first.parent();
		if (parent != null && (isHidden(parent) || parent.parents().stream().anyMatch(HtmlChecks::isHidden))) {
			this.findings.pass(PREHEADER, "The inbox shows “" + begin + "” after the subject.");
		}
		else {
			this.findings.warn(PREHEADER,
					"There is none: the inbox shows the first text, “" + begin + "”, after the subject.");
		}
	}

	static boolean isHidden(Element element) {
		return element.attr("style").replace(" ", "").toLowerCase(Locale.ROOT).contains("display:none");
	}

	private void links() {
		int count = 0;
		for (Element link : this.document.select("a, area")) {
			boolean target = link.hasAttr("name") || link.hasAttr("id");
			if (link.hasAttr("href") || !target) {
				count++;
				link(link.attr("href").strip(), name(link));
			}
		}
		this.findings.pass(LINKS, (count == 0) ? "There are no links." : counted(count, "link has", "links have")
				+ " complete addresses. Whether pages exist is not checked.");
	}

	private void link(String href, String name) {
		if (href.isEmpty() || href.equals("#")) {
			this.findings.error(LINKS, "The link " + name + " has no address.");
			return;
		}
		if (href.startsWith("{{") || href.startsWith("#")) {
			return;
		}
		String address = PLACEHOLDER.matcher(href).replaceAll("x");
		Matcher scheme = SCHEME.matcher(address);
		if (!scheme.matches()) {
			this.findings.error(LINKS, "The link " + name + " leads to “" + excerpt(href)
					+ "”, which is no complete address: it needs https://.");
			return;
		}
		switch (scheme.group(1).toLowerCase(Locale.ROOT)) {
			case "mailto", "tel", "sms" -> {
				// Opens a program of the reader.
			}
			case "http", "https" -> web(LINKS, address, "The link " + name, "reached");
			default -> this.findings.error(LINKS,
					"The link " + name + " begins with " + scheme.group(1) + ":, which mail programs do not open.");
		}
	}

	/** Checks an address that begins with http or https. */
	private void web(ContentFinding.Check check, String address, String what, String verb) {
		Matcher parts = WEB_ADDRESS.matcher(address);
		if (!parts.matches()) {
			this.findings.error(check, what + " has a malformed address, “" + excerpt(address) + "”.");
		}
		else if (LOCAL.matcher(parts.group(1)).matches()) {
			this.findings.error(check,
					what + " is at " + parts.group(1) + ", which cannot be " + verb + " by recipients.");
		}
		else if (address.regionMatches(true, 0, "http:", 0, 5)) {
			this.findings.warn(check, what + " uses http instead of https: “" + excerpt(address) + "”.");
		}
	}

	private void images() {
		int count = 0;
		long stored = 0;
		for (Element image : this.document.select("img")) {
			count++;
			String src = image.attr("src").strip();
			int bytes = this.source.images().getOrDefault(src, 0);
			stored += bytes;
			image(src, bytes);
			if (!image.hasAttr("alt")) {
				this.findings.warn(ALT, "The image " + file(src)
						+ " has no alternative text. Many readers see the text first; an ornament has an empty one.");
			}
			else if (image.attr("alt").isBlank() && isAloneInLink(image)) {
				this.findings.warn(ALT,
						"The image " + file(src) + " is a link: its alternative text says where it leads.");
			}
		}
		if (stored > MAX_IMAGES) {
			this.findings.warn(IMAGES, "All images together weigh " + kilobytes(stored) + ".");
		}
		this.findings.pass(IMAGES,
				(count == 0) ? "There are no images."
						: counted(count, "image has", "images have") + " complete addresses"
								+ ((stored > 0) ? " and weigh" + ((count == 1) ? "s " : " ") + kilobytes(stored) : "")
								+ ".");
		this.findings.pass(ALT, (count == 0) ? "There are no images." : "Each image has an alternative text.");
	}

	private static boolean isAloneInLink(Element image) {
		@Nullable Element link = image.closest("a[href]");
		return link != null && link.text().isBlank();
	}

	private void image(String src, int bytes) {
		String what = "The image " + file(src);
		if (bytes > MAX_IMAGE) {
			this.findings.warn(IMAGES, what + " weighs " + kilobytes(bytes) + ": readers on phones wait for it.");
		}
		if (bytes > 0 || src.startsWith("{{") || (src.startsWith("cid:") && !this.source.campaign())) {
			return;
		}
		if (src.isEmpty()) {
			this.findings.error(IMAGES, "An image has no address.");
		}
		else if (src.startsWith("cid:")) {
			this.findings.error(IMAGES, what + " is an attachment, and campaigns have none.");
		}
		else if (src.regionMatches(true, 0, "data:", 0, 5)) {
			this.findings.error(IMAGES,
					"An image is inside the HTML, where Gmail and Outlook do not show it: upload it.");
		}
		else if (src.regionMatches(true, 0, "http://", 0, 7) || src.regionMatches(true, 0, "https://", 0, 8)) {
			web(IMAGES, PLACEHOLDER.matcher(src).replaceAll("x"), what, "loaded");
		}
		else {
			this.findings.error(IMAGES, what + " has no complete address: it needs https://.");
		}
	}

	private static String counted(int count, String one, String many) {
		return count + " " + ((count == 1) ? one : many);
	}

	private static String kilobytes(long bytes) {
		return String.format(Locale.ROOT, "%.0f kB", Math.ceil(bytes / 1000.0));
	}

	private static String name(Element link) {
		String text = link.text().strip();
		return text.isEmpty() ? "without text" : "“" + excerpt(text) + "”";
	}

	/** The end of an address, which is the name of a file. */
	private static String file(String src) {
		return "“" + ((src.length() > MAX_EXCERPT) ? "…" + src.substring(src.length() - MAX_EXCERPT) : src) + "”";
	}

	static String excerpt(String text) {
		return (text.length() > MAX_EXCERPT) ? text.substring(0, MAX_EXCERPT) + "…" : text;
	}

}
