package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A permanent refusal, classified by the text of the server's reply.
 *
 * @param code the enhanced status code (RFC 3463), or else the three-digit reply code;
 * empty if the reply has neither
 * @param diagnostic the reply
 */
public record Bounce(Type type, String code, String diagnostic) {

	/** At the beginning of the reply, or at its end in parentheses as qmail writes it. */
	private static final Pattern ENHANCED = Pattern
		.compile("(?:^(?:\\d{3}[ -])?|\\(#)([245]\\.\\d{1,3}\\.\\d{1,3})\\b");

	private static final Pattern DIGITS = Pattern.compile("^([245]\\d\\d)\\b");

	/**
	 * Bad mailbox, bad system, bad syntax, mailbox moved (RFC 3463), null MX (RFC 7505).
	 */
	private static final List<String> BAD_ADDRESS = List.of("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10");

	/** Reply codes for an unknown mailbox from servers without enhanced codes. */
	private static final List<String> BAD_MAILBOX = List.of("550", "551", "553");

	/** Replies of servers that use a block list; their codes vary. */
	private static final Pattern BLOCK_LIST = Pattern.compile("spamhaus|spamcop|barracudacentral|dnsbl|\\brbl\\b"
			+ "|block ?list|blacklist|(?:poor|bad|low) (?:sender |ip )?reputation");

	/**
	 * Replies to RCPT that refuse the sender or the mail, often without an enhanced code.
	 */
	private static final Pattern POLICY = Pattern.compile("\\bspam|\\bspf\\b|\\bdkim\\b|\\bdmarc\\b|\\bpolicy\\b"
			+ "|\\bblocked\\b|administrative(?:ly)? prohibit|\\bsenders?\\b|reverse dns|\\bptr\\b|\\b[he][eh]lo\\b"
			+ "|authenticat|rate limit|too many");

	/**
	 * Replies for which the recipient's domain or its DNS is the cause, not the address.
	 */
	private static final Pattern WRONG_SERVER = Pattern.compile("\\brelay(?:ing)?\\b|rcpthosts");

	/**
	 * Unknown users as Microsoft's servers report them, and unknown domains as Postfix
	 * does, both with enhanced codes for network problems.
	 */
	private static final Pattern UNKNOWN_ADDRESS = Pattern
		.compile("5\\.4\\.1 recipient address rejected|5\\.4\\.4 .*\\bdomain name not found\\b.*\\bhost not found\\b");

	/** Addresses quoted in the reply, which must not match the patterns. */
	private static final Pattern QUOTED = Pattern.compile("<[^>]*>|\\S+@\\S+");

	/**
	 * Classifies a permanent refusal.
	 * @param toRcpt whether it is the reply to RCPT, which names only the recipient
	 */
	public static Bounce of(String reply, boolean toRcpt) {
		String code = code(reply);
		return new Bounce(type(code, reply, toRcpt), code, reply);
	}

	private static Type type(String code, String reply, boolean toRcpt) {
		String text = unquoted(reply);
		if (code.startsWith("5.7.") || BLOCK_LIST.matcher(text).find()) {
			return Type.BLOCK;
		}
		if (toRcpt && BAD_MAILBOX.contains(code)) {
			return POLICY.matcher(text).find() ? Type.BLOCK : WRONG_SERVER.matcher(text).find() ? Type.SOFT : Type.HARD;
		}
		return (BAD_ADDRESS.contains(code) || UNKNOWN_ADDRESS.matcher(text).find()) ? Type.HARD : Type.SOFT;
	}

	private static String unquoted(String reply) {
		return QUOTED.matcher(reply).replaceAll(" ").toLowerCase(Locale.ROOT);
	}

	/** The enhanced status code, or else the reply code. */
	static String code(String reply) {
		String enhanced = enhanced(reply);
		Matcher digits = DIGITS.matcher(reply);
		return !enhanced.isEmpty() ? enhanced : digits.find() ? digits.group(1) : "";
	}

	/** The enhanced status code of a reply; empty if it has none. */
	public static String enhanced(String reply) {
		Matcher enhanced = ENHANCED.matcher(reply);
		return enhanced.find() ? enhanced.group(1) : "";
	}

	/** Causes of bounces. */
	public enum Type {

		/** The address does not exist: it is suppressed. */
		HARD,
		/** The mailbox or this mail: full, too large, content refused. */
		SOFT,
		/** The sender: its reputation, or a policy against it. */
		BLOCK;

		/** The name in events. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

		static @Nullable Type of(@Nullable String wire) {
			return (wire != null) ? valueOf(wire.toUpperCase(Locale.ROOT)) : null;
		}

	}

}
