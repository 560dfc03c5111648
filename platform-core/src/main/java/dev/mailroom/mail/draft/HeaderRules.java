package dev.mailroom.mail.draft;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import dev.mailroom.EmailAddress;

/** Rules for the headers that a sender may add. */
public final class HeaderRules {

	/** Characters of a line without its end (RFC 5322 2.1.1). */
	static final int MAX_LINE_LENGTH = 998;

	private static final Pattern EXTENSION = Pattern.compile("x-[a-z0-9-]+");

	/** Headers that only the platform sets. */
	private static final String RESERVED_PREFIX = "x-mailroom-";

	/**
	 * Headers that feedback loops add to the mail that they return. In a mail of a sender
	 * they would make each complaint about it count for another delivery.
	 */
	private static final Set<String> RESERVED = Set.of("x-hmxmroriginalrecipient", "x-original-mail-from");

	private static final Set<String> ALLOWED = Set.of("auto-submitted", "comments", "feedback-id", "importance",
			"in-reply-to", "keywords", "list-archive", "list-help", "list-id", "list-owner", "list-post",
			"list-subscribe", "list-unsubscribe", "list-unsubscribe-post", "organization", "precedence", "priority",
			"references", "require-recipient-valid-since", "sensitivity", "thread-index", "thread-topic");

	private HeaderRules() {
	}

	/**
	 * Whether a sender may set this header. Headers that the transport of mail depends on
	 * are set by the platform.
	 */
	public static boolean isAllowed(String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		return ALLOWED.contains(lower) || (EXTENSION.matcher(lower).matches() && !lower.startsWith(RESERVED_PREFIX)
				&& !RESERVED.contains(lower));
	}

	/** Whether text has no character that could end a header's line. */
	static boolean isOneLine(String text) {
		return text.chars().noneMatch(EmailAddress::breaksALine);
	}

}
