package dev.mailroom.submission;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import dev.mailroom.EmailAddress;

/** Which headers a sender may add, and what may stand in them. */
public final class HeaderRules {

	/** The longest line that mail may carry, without its end (RFC 5322 2.1.1). */
	static final int LONGEST_LINE = 998;

	private static final Pattern EXTENSION = Pattern.compile("x-[a-z0-9-]+");

	/** Ours alone. */
	private static final String OWN = "x-mailroom-";

	private static final Set<String> ALLOWED = Set.of("auto-submitted", "comments", "feedback-id", "importance",
			"in-reply-to", "keywords", "list-archive", "list-help", "list-id", "list-owner", "list-post",
			"list-subscribe", "list-unsubscribe", "list-unsubscribe-post", "organization", "precedence", "priority",
			"references", "require-recipient-valid-since", "sensitivity", "thread-index", "thread-topic");

	private HeaderRules() {
	}

	/**
	 * Whether a sender may set this header: those that carry the mail itself are ours.
	 */
	public static boolean allowed(String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		return ALLOWED.contains(lower) || (EXTENSION.matcher(lower).matches() && !lower.startsWith(OWN));
	}

	/** Whether text may stand in a header: nothing in it ends the line. */
	static boolean oneLine(String text) {
		return text.chars().noneMatch(EmailAddress::breaksALine);
	}

}
