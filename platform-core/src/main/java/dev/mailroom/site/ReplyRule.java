package dev.mailroom.site;

import java.util.Locale;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A rule for replies of the servers of a site.
 *
 * @param pattern regular expression in the syntax of RE2, found anywhere in the reply
 * regardless of case
 * @param seconds duration of a pause; null for the usual one
 * @param page the provider's page that describes the reply; null if there is none
 */
public record ReplyRule(String pattern, Action action, @Nullable Integer seconds, @Nullable String page) {

	/** Longest pattern. */
	static final int MAX_PATTERN = 200;

	/** Longest pause in seconds: a day. */
	public static final int MAX_SECONDS = 86_400;

	/**
	 * Largest compiled pattern. The time of a match is bounded by its product with the
	 * length of the reply: below 5 ms for 1000 characters.
	 */
	private static final int MAX_PROGRAM = 1_000;

	/**
	 * Compiles the pattern.
	 * @throws IllegalArgumentException if it is invalid, or too slow; the message
	 * completes a sentence that begins with the pattern
	 */
	public Pattern compile() {
		if (this.pattern.isBlank() || this.pattern.length() > MAX_PATTERN) {
			throw new IllegalArgumentException("must have 1 to " + MAX_PATTERN + " characters");
		}
		Pattern compiled;
		try {
			compiled = Pattern.compile(this.pattern, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
		}
		catch (PatternSyntaxException ex) {
			throw new IllegalArgumentException("is not valid in the syntax of RE2: " + ex.getDescription(), ex);
		}
		if (compiled.programSize() > MAX_PROGRAM) {
			throw new IllegalArgumentException("is too slow: shorten its repetitions");
		}
		return compiled;
	}

	/** Effect of a reply. */
	public enum Action {

		/** The site gets less mail for a time. */
		SLOW,
		/** The site gets none for a time. */
		PAUSE,
		/** The account's mail to the site waits for a time. */
		PAUSE_ACCOUNT,
		/** This mail alone waits. */
		GREYLIST,
		/** The account was refused. */
		BLOCK,
		/** Nothing. */
		IGNORE;

		/** The value of the label. */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
