package dev.mailroom.brand;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Account as its recipients see it.
 *
 * @param name public name of the account; empty for none
 * @param colour colour of buttons and links; null for a neutral one
 * @param footer text at the end of each page, such as the postal address; may be empty
 * @param languages languages of the pages, the first of them for readers of other ones
 * and for mails
 * @param logo id of the logo, which each logo has another; null without one
 */
public record Brand(String name, @Nullable Colour colour, String footer, List<Language> languages,
		@Nullable UUID logo) {

	/** The brand of an account that has set none. */
	public static final Brand NONE = new Brand("", null, "", List.of(Language.EN), null);

	public Brand {
		languages = List.copyOf(languages);
	}

	/** The language of the account's mails. */
	public Language language() {
		return this.languages.getFirst();
	}
}
