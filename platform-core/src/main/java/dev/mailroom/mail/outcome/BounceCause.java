package dev.mailroom.mail.outcome;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cause of hard bounces or complaints, and its frequency.
 *
 * @param cause an enhanced status code (RFC 3463), {@code complaint} or {@code other}
 */
public record BounceCause(String cause, long count) {

	static final String COMPLAINT = "complaint";

	private static final String OTHER = "other";

	/** Limits the number of different causes that servers can produce. */
	private static final Pattern CODE = Pattern.compile("(?<![\\d.])5\\.[0-7]\\.\\d{1,2}(?!\\.?\\d)");

	/** The cause in a server's reply. */
	static String of(String reply) {
		Matcher code = CODE.matcher(reply);
		return code.find() ? code.group() : OTHER;
	}

	/** The description of the cause. */
	public String meaning() {
		if (this.cause.equals(COMPLAINT)) {
			return "A recipient reported the mail as spam";
		}
		return switch (this.cause.equals(OTHER) ? '0' : this.cause.charAt(2)) {
			case '1' -> "The address does not exist";
			case '2' -> "The mailbox is disabled, full or too small for the mail";
			case '3' -> "The receiving system does not accept such mail";
			case '4' -> "The receiving system cannot be reached";
			case '5' -> "The receiving system did not understand the sending one";
			case '6' -> "The content of the mail is not accepted";
			case '7' -> "The policy of the receiving system forbids it";
			default -> "The receiving system gave no reason";
		};
	}
}
