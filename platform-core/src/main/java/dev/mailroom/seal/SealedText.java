package dev.mailroom.seal;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.stereotype.Component;

/**
 * Secrets inside a text, encrypted while the text is stored: {@code [sealed:...]} stands
 * for each.
 */
@Component
public class SealedText {

	private static final Pattern SEALED = Pattern.compile("\\[sealed:([A-Za-z0-9_-]{1,512})]");

	private final Seal seal;

	SealedText(Seal seal) {
		this.seal = seal;
	}

	/** Encrypts a secret as a part of the text of an account's mail to a recipient. */
	public String seal(String secret, UUID account, String recipient) {
		byte[] sealed = this.seal.seal(secret.getBytes(StandardCharsets.UTF_8), place(account, recipient));
		return "[sealed:" + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed) + "]";
	}

	/**
	 * Replaces the sealed parts of a mail's text by their secrets. A part that was not
	 * sealed for this recipient stays as it is.
	 */
	public String open(String text, UUID account, String recipient) {
		String place = place(account, recipient);
		return SEALED.matcher(text)
			.replaceAll((part) -> Matcher.quoteReplacement(opened(part.group(1), part.group(), place)));
	}

	private static String place(UUID account, String recipient) {
		return "mail of " + account + " to " + recipient.toLowerCase(Locale.ROOT);
	}

	private String opened(String sealed, String otherwise, String place) {
		try {
			return new String(this.seal.open(Base64.getUrlDecoder().decode(sealed), place), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException | IllegalStateException _) {
			return otherwise;
		}
	}

}
