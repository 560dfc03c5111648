package dev.mailroom.brand;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An sRGB colour, with the contrast that WCAG 2.2 defines.
 *
 * @param rgb red, green and blue, a byte each
 */
public record Colour(int rgb) {

	/** Contrast that WCAG 2.2 requires between text and its background (1.4.3). */
	private static final double TEXT_CONTRAST = 4.5;

	public static final Colour BLACK = new Colour(0);

	public static final Colour WHITE = new Colour(0xffffff);

	private static final Pattern HEX = Pattern.compile("#[0-9a-fA-F]{6}");

	/** Reads {@code #rrggbb}; empty if the text is no colour. */
	public static Optional<Colour> parse(String text) {
		return HEX.matcher(text).matches() ? Optional.of(new Colour(Integer.parseInt(text.substring(1), 16)))
				: Optional.empty();
	}

	/** Black or white, whichever is read better on this colour. */
	public Colour text() {
		return (contrast(BLACK) >= contrast(WHITE)) ? BLACK : WHITE;
	}

	/** Whether text in this colour can be read on a background. */
	public boolean isReadableOn(Colour background) {
		return contrast(background) >= TEXT_CONTRAST;
	}

	/** The contrast with another colour, from 1 to 21. */
	public double contrast(Colour other) {
		double one = luminance() + 0.05;
		double two = other.luminance() + 0.05;
		return Math.max(one, two) / Math.min(one, two);
	}

	private double luminance() {
		return 0.2126 * linear(this.rgb >> 16) + 0.7152 * linear(this.rgb >> 8) + 0.0722 * linear(this.rgb);
	}

	private static double linear(int channel) {
		double value = (channel & 0xff) / 255.0;
		return (value <= 0.04045) ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "#%06x", this.rgb);
	}

}
