package dev.mailroom.brand;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import dev.mailroom.image.Picture;
import org.jspecify.annotations.Nullable;

/**
 * New settings of a brand, valid.
 *
 * @param brand the settings; its logo is that of before
 * @param keepsLogo whether the logo stays as it is
 * @param logo a new logo; null for none
 */
public record BrandChange(Brand brand, boolean keepsLogo, @Nullable Picture logo) {

	/** Largest size of a logo in bytes. */
	public static final int MAX_LOGO = 200 * 1024;

	private static final int MAX_NAME_LENGTH = 100;

	private static final int MAX_FOOTER_LENGTH = 500;

	/**
	 * Validates the fields of a request.
	 * @param logo a new logo in Base64; empty to remove the logo; null to keep it
	 * @throws dev.mailroom.Refused {@code Invalid request data} with all invalid fields
	 */
	public static BrandChange of(@Nullable String name, @Nullable String colour, @Nullable String footer,
			List<Language> languages, @Nullable String logo) {
		FieldErrors errors = new FieldErrors();
		Brand brand = new Brand(name(errors, name), colour(errors, colour), footer(errors, footer),
				languages.stream().distinct().toList(), null);
		if (languages.isEmpty()) {
			errors.add("languages", "must name a language");
		}
		boolean removed = logo != null && logo.isEmpty();
		@Nullable Picture uploaded = (logo == null || removed) ? null : logo(errors, logo).orElse(null);
		errors.refuseIfAny();
		return new BrandChange(brand, logo == null, uploaded);
	}

	private static String name(FieldErrors errors, @Nullable String text) {
		String name = Objects.requireNonNullElse(text, "").strip();
		if (name.length() > MAX_NAME_LENGTH) {
			errors.add("name", "must have at most " + MAX_NAME_LENGTH + " characters");
		}
		// A name in the From header could hide a second address.
		if (name.chars().anyMatch((character) -> EmailAddress.breaksALine(character) || "<>@".indexOf(character) >= 0)
				|| name.contains("://")) {
			errors.add("name", "must be a name, without addresses, line breaks and the characters < > @");
		}
		return name;
	}

	private static @Nullable Colour colour(FieldErrors errors, @Nullable String text) {
		if (text == null || text.isBlank()) {
			return null;
		}
		Optional<Colour> colour = Colour.parse(text.strip());
		if (colour.isEmpty()) {
			errors.add("colour", "must be like #0f766e");
		}
		return colour.orElse(null);
	}

	private static String footer(FieldErrors errors, @Nullable String text) {
		String footer = Objects.requireNonNullElse(text, "").replace("\r\n", "\n").strip();
		if (footer.length() > MAX_FOOTER_LENGTH) {
			errors.add("footer", "must have at most " + MAX_FOOTER_LENGTH + " characters");
		}
		if (footer.chars().anyMatch((character) -> character != '\n' && Character.isISOControl(character))) {
			errors.add("footer", "must not contain control characters other than line breaks");
		}
		return footer;
	}

	/** GIF is left out: a logo does not move. */
	private static Optional<Picture> logo(FieldErrors errors, String base64) {
		if (Picture.isLonger(base64, MAX_LOGO)) {
			errors.add("logo", "must have at most " + MAX_LOGO / 1024 + " KB");
			return Optional.empty();
		}
		Optional<Picture> logo = Picture.ofBase64(base64).filter((picture) -> !picture.type().equals("image/gif"));
		if (logo.isEmpty()) {
			errors.add("logo", "must be a PNG, JPEG or WebP image in Base64");
		}
		return logo;
	}

}
