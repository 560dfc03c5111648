package dev.mailroom.brand;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.secret.SealedText;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;

/**
 * A mail that Mailroom writes, with the same sentences as plain text and as HTML. Its
 * texts may contain what people have entered: they are escaped, and nothing in them is
 * unsealed. Only the address of the button may have a sealed part.
 *
 * @param title the subject, and the first line of the HTML
 * @param before paragraphs above the button
 * @param button null for none
 * @param after paragraphs below the button
 */
public record Letter(String title, List<String> before, @Nullable Button button, List<String> after) {

	private static final String HTML = read("brand/letter.html");

	private static final String PARAGRAPH = "<p style=\"margin:0 0 16px;white-space:pre-line\">%s</p>\n";

	public Letter {
		before = List.copyOf(before);
		after = List.copyOf(after);
	}

	/** A letter without a button. */
	public static Letter of(String title, String... paragraphs) {
		return new Letter(title, List.of(paragraphs), null, List.of());
	}

	/** The letter as plain text. */
	public String text(Brand brand) {
		Stream<String> link = (this.button != null)
				? Stream.of(SealedText.closed(this.button.label()) + ":\n" + this.button.url()) : Stream.of();
		Stream<String> end = brand.footer().isEmpty() ? Stream.of()
				: Stream.of("-- \n" + SealedText.closed(brand.footer()));
		return Stream
			.of(this.before.stream().map(SealedText::closed), link, this.after.stream().map(SealedText::closed), end)
			.flatMap((part) -> part)
			.collect(Collectors.joining("\n\n", "", "\n"));
	}

	/**
	 * The letter as HTML. Its styles are at their elements, because many clients ignore
	 * others.
	 * @param logo address of the logo; null for none
	 */
	public String html(Brand brand, @Nullable String logo) {
		String body = Stream.of(paragraphs(this.before), button(brand), paragraphs(this.after))
			.collect(Collectors.joining());
		String footer = brand.footer().isEmpty() ? ""
				: """
						<tr><td class="quiet" style="padding:16px 32px;color:#45524e;font-size:13px;white-space:pre-line">%s</td></tr>
						"""
					.formatted(escaped(brand.footer()));
		return HTML.formatted(brand.language().code(), escaped(this.title), header(brand, logo), escaped(this.title),
				body, footer);
	}

	private static String header(Brand brand, @Nullable String logo) {
		String name = escaped(brand.name());
		if (logo != null) {
			return """
					<img src="%s" alt="%s" style="display:block;max-width:100%%;max-height:64px;margin:0 0 24px;background:#ffffff">
					"""
				.formatted(escaped(logo), name);
		}
		return name.isEmpty() ? "" : "<p style=\"margin:0 0 24px;font-weight:600\">" + name + "</p>\n";
	}

	private static String paragraphs(List<String> texts) {
		return texts.stream().map((text) -> PARAGRAPH.formatted(escaped(text))).collect(Collectors.joining());
	}

	private String button(Brand brand) {
		if (this.button == null) {
			return "";
		}
		Colour colour = (brand.colour() != null) ? brand.colour() : new Colour(0x13201d);
		return """
				<p style="margin:24px 0"><a href="%s" style="display:inline-block;padding:12px 20px;border:1px solid %s;\
				border-radius:6px;background:%s;color:%s;font-weight:600;text-decoration:none">%s</a></p>
				"""
			.formatted(escapedUrl(this.button.url()), colour.isReadableOn(Colour.WHITE) ? colour : "#84908c", colour,
					colour.text(), escaped(this.button.label()));
	}

	private static String escaped(String text) {
		return escapedUrl(SealedText.closed(text));
	}

	private static String escapedUrl(String text) {
		return text.replace("&", "&amp;")
			.replace("<", "&lt;")
			.replace(">", "&gt;")
			.replace("\"", "&quot;")
			.replace("'", "&#39;");
	}

	private static String read(String name) {
		try {
			return new ClassPathResource(name).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A link that is drawn as a button. */
	public record Button(String label, String url) {
	}

}
