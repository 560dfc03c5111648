package dev.mailroom.outcome;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A refusal for good, as far as the server's words tell why.
 *
 * @param code the enhanced status code (RFC 3463), or the three digits where there is
 * none; empty where there is neither
 * @param diagnostic the server's words
 */
public record Bounce(Type type, String code, String diagnostic) {

	/** At the beginning, or where qmail says it: behind its words. */
	private static final Pattern ENHANCED = Pattern
		.compile("(?:^(?:\\d{3}[ -])?|\\(#)([245]\\.\\d{1,3}\\.\\d{1,3})\\b");

	private static final Pattern DIGITS = Pattern.compile("^([245]\\d\\d)\\b");

	/**
	 * No such user, no such host, bad address, moved, no mail for that domain (RFC 3463,
	 * RFC 7505).
	 */
	private static final List<String> BAD_ADDRESS = List.of("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10");

	/** What a server without enhanced codes says of a mailbox that is not there. */
	private static final List<String> BAD_MAILBOX = List.of("550", "551", "553");

	/** How those speak who look a sender up in a list, whatever code they give. */
	private static final Pattern LISTED = Pattern.compile("spamhaus|spamcop|barracudacentral|dnsbl|\\brbl\\b"
			+ "|block ?list|blacklist|(?:poor|bad|low) (?:sender |ip )?reputation");

	/**
	 * What those say, often without an enhanced code, who refuse the sender or the mail
	 * when they are asked for a recipient.
	 */
	private static final Pattern POLICY = Pattern.compile("\\bspam|\\bspf\\b|\\bdkim\\b|\\bdmarc\\b|\\bpolicy\\b"
			+ "|\\bblocked\\b|administrative(?:ly)? prohibit|\\bsenders?\\b|reverse dns|\\bptr\\b|\\b[he][eh]lo\\b"
			+ "|authenticat|rate limit|too many");

	/** The recipient's domain is at fault, or its DNS, and not the address. */
	private static final Pattern NOT_HERE = Pattern.compile("\\brelay(?:ing)?\\b|rcpthosts");

	/**
	 * How Microsoft's servers say that there is no such user, and Postfix that there is
	 * no such domain, in codes that by themselves would mean the network.
	 */
	private static final Pattern NOBODY = Pattern
		.compile("5\\.4\\.1 recipient address rejected|5\\.4\\.4 .*\\bdomain name not found\\b.*\\bhost not found\\b");

	/** Addresses and links are not the server's own words. */
	private static final Pattern QUOTED = Pattern.compile("<[^>]*>|\\S+@\\S+");

	/**
	 * Judges a refusal by its words.
	 * @param ofRecipient whether it answers RCPT, where nothing but the recipient was
	 * named
	 */
	public static Bounce of(String reply, boolean ofRecipient) {
		String code = code(reply);
		return new Bounce(type(code, reply, ofRecipient), code, reply);
	}

	private static Type type(String code, String reply, boolean ofRecipient) {
		String words = words(reply);
		if (code.startsWith("5.7.") || LISTED.matcher(words).find()) {
			return Type.BLOCK;
		}
		if (ofRecipient && BAD_MAILBOX.contains(code)) {
			return POLICY.matcher(words).find() ? Type.BLOCK : NOT_HERE.matcher(words).find() ? Type.SOFT : Type.HARD;
		}
		return (BAD_ADDRESS.contains(code) || NOBODY.matcher(words).find()) ? Type.HARD : Type.SOFT;
	}

	private static String words(String reply) {
		return QUOTED.matcher(reply).replaceAll(" ").toLowerCase(Locale.ROOT);
	}

	/** The enhanced status code, or else the three digits. */
	static String code(String reply) {
		String enhanced = enhanced(reply);
		Matcher digits = DIGITS.matcher(reply);
		return !enhanced.isEmpty() ? enhanced : digits.find() ? digits.group(1) : "";
	}

	/** The enhanced status code of a reply; empty where it has none. */
	public static String enhanced(String reply) {
		Matcher enhanced = ENHANCED.matcher(reply);
		return enhanced.find() ? enhanced.group(1) : "";
	}

	/** What is to be mended. */
	public enum Type {

		/** The address itself: it is not written to again. */
		HARD,
		/** The mailbox, or this mail: full, too large, not to the server's taste. */
		SOFT,
		/** The sender: its reputation, or a rule against it. */
		BLOCK;

		/** As events name it. */
		public String wire() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
