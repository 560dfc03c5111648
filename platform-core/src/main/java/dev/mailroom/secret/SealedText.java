package dev.mailroom.secret;

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

	private static final String BEGIN = "[sealed:";

	/** Parts of a text that are opened; mails of the platform have fewer. */
	private static final int MAX_PARTS = 10;

	private static final Pattern SEALED = Pattern.compile("\\[sealed:([A-Za-z0-9_-]{1,512})]");

	private final Seal seal;

	SealedText(Seal seal) {
		this.seal = seal;
	}

	/** Whether a text may have sealed parts. */
	public static boolean isIn(String text) {
		return text.contains(BEGIN);
	}

	/** A text of an account, changed so that nothing in it is opened. */
	public static String closed(String text) {
		return text.replace(BEGIN, "[sealed ");
	}

	/** Encrypts a secret as a part of the text of an account's mail to a recipient. */
	public String seal(String secret, UUID account, String recipient) {
		byte[] sealed = this.seal.seal(secret.getBytes(StandardCharsets.UTF_8), place(account, recipient));
		return BEGIN + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed) + "]";
	}

	/**
	 * Replaces the sealed parts of a mail's text by their secrets, ten at most. A part
	 * that was not sealed for this recipient stays as it is.
	 */
	public String open(String text, UUID account, String recipient) {
		String place = place(account, recipient);
		Matcher part = SEALED.matcher(text);
		StringBuilder opened = new StringBuilder(text.length());
		for (int parts = 0; parts < MAX_PARTS && part.find(); parts++) {
			part.appendReplacement(opened, Matcher.quoteReplacement(opened(part.group(1), part.group(), place)));
		}
		return part.appendTail(opened).toString();
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
