package dev.mailroom.check;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.brand.Colour;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Compares the colour of each text with its background. Both come from inline styles and
 * the attributes {@code bgcolor} and {@code color}; a colour that is written otherwise,
 * or a background image, is not judged.
 */
final class ContrastCheck implements NodeVisitor {

	/** WCAG 2.2 1.4.3: contrast of text, and of large text. */
	private static final double TEXT = 4.5;

	private static final double LARGE_TEXT = 3;

	private static final double LARGE = 24;

	private static final double LARGE_BOLD = 18.66;

	private static final double DEFAULT_SIZE = 16;

	private static final Pattern RGB = Pattern.compile("rgb\\((\\d{1,3}),(\\d{1,3}),(\\d{1,3})\\)");

	private static final Pattern PIXELS = Pattern.compile("(\\d+(?:\\.\\d+)?)px");

	private static final Map<String, String> NAMES = Map.of("black", "#000000", "white", "#ffffff", "gray", "#808080",
			"grey", "#808080", "silver", "#c0c0c0", "red", "#ff0000", "green", "#008000", "blue", "#0000ff", "navy",
			"#000080");

	/** Colour of links that have none of their own. */
	private static final Colour LINK = new Colour(0x0000ee);

	private final Findings findings;

	private final Deque<Style> styles = new ArrayDeque<>();

	ContrastCheck(Findings findings) {
		this.findings = findings;
		this.styles.push(new Style(Colour.BLACK, Colour.WHITE, DEFAULT_SIZE, false, false));
	}

	@Override
	public void head(Node node, int depth) {
		Style inherited = this.styles.element();
		if (node instanceof Element element) {
			this.styles.push(style(element, inherited));
		}
		else if (node instanceof TextNode text && !text.isBlank() && !inherited.hidden()) {
			judge(text.text().strip(), inherited);
		}
	}

	@Override
	public void tail(Node node, int depth) {
		if (node instanceof Element) {
			this.styles.pop();
		}
	}

	private void judge(String text, Style style) {
		@Nullable Colour colour = style.colour();
		@Nullable Colour background = style.background();
		if (colour == null || background == null) {
			return;
		}
		double contrast = colour.contrast(background);
		boolean large = style.size() >= LARGE || (style.bold() && style.size() >= LARGE_BOLD);
		if (contrast < (large ? LARGE_TEXT : TEXT)) {
			this.findings.warn(ContentFinding.Check.CONTRAST,
					String.format(Locale.ROOT, "“%s” is hard to read: %s on %s has a contrast of %.1f; %s needs %s.",
							HtmlChecks.excerpt(text), colour, background, contrast, large ? "large text" : "text",
							large ? "3" : "4.5"));
		}
	}

	private static Style style(Element element, Style inherited) {
		Map<String, String> own = properties(element.attr("style"));
		String name = element.normalName();
		@Nullable Colour colour = name.equals("a") ? LINK : inherited.colour();
		@Nullable Colour background = inherited.background();
		if (element.hasAttr("bgcolor")) {
			background = colour(element.attr("bgcolor"));
		}
		if (name.equals("font") && element.hasAttr("color")) {
			colour = colour(element.attr("color"));
		}
		if (element.hasAttr("background") || own.getOrDefault("background", "").contains("url(")
				|| own.containsKey("background-image")) {
			background = null;
		}
		else if (own.containsKey("background-color") || own.containsKey("background")) {
			String value = own.getOrDefault("background-color", own.getOrDefault("background", ""));
			background = value.equals("transparent") || value.equals("none") ? background : colour(value);
		}
		String foreground = own.getOrDefault("color", "");
		if (foreground.equals("inherit")) {
			colour = inherited.colour();
		}
		else if (!foreground.isEmpty()) {
			colour = colour(foreground);
		}
		Matcher pixels = PIXELS.matcher(own.getOrDefault("font-size", ""));
		double size = pixels.matches() ? Double.parseDouble(pixels.group(1)) : switch (name) {
			case "h1" -> 2 * DEFAULT_SIZE;
			case "h2" -> 1.5 * DEFAULT_SIZE;
			default -> inherited.size();
		};
		String weight = own.getOrDefault("font-weight", "");
		boolean bold = weight.isEmpty() ? inherited.bold() || name.matches("b|strong|th|h[1-6]")
				: weight.matches("bold|bolder|[6-9]00");
		boolean hidden = inherited.hidden() || HtmlChecks.isHidden(element) || name.matches("style|script|title");
		return new Style(colour, background, size, bold, hidden);
	}

	private static Map<String, String> properties(String style) {
		Map<String, String> properties = new HashMap<>();
		for (String declaration : style.split(";", -1)) {
			int colon = declaration.indexOf(':');
			if (colon > 0) {
				properties.put(declaration.substring(0, colon).strip().toLowerCase(Locale.ROOT),
						declaration.substring(colon + 1).replace("!important", "").strip().toLowerCase(Locale.ROOT));
			}
		}
		return properties;
	}

	private static @Nullable Colour colour(String text) {
		String value = text.replace(" ", "").toLowerCase(Locale.ROOT);
		Matcher rgb = RGB.matcher(value);
		if (rgb.matches()) {
			value = String.format(Locale.ROOT, "#%02x%02x%02x", channel(rgb, 1), channel(rgb, 2), channel(rgb, 3));
		}
		else if (value.matches("#[0-9a-f]{3}")) {
			value = value.replaceAll("([0-9a-f])", "$1$1");
		}
		return Optional.of(NAMES.getOrDefault(value, value)).flatMap(Colour::parse).orElse(null);
	}

	private static int channel(Matcher rgb, int group) {
		return Math.min(255, Integer.parseInt(rgb.group(group)));
	}

	/**
	 * Style of a text.
	 *
	 * @param colour null if it is not known
	 * @param background null if it is not known
	 * @param size in pixels
	 */
	private record Style(@Nullable Colour colour, @Nullable Colour background, double size, boolean bold,
			boolean hidden) {
	}

}
