package dev.mailroom.reputation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What mails came back for, and how often.
 *
 * @param cause an enhanced status code (RFC 3463), {@code complaint} or {@code other}
 */
public record Cause(String cause, long count) {

	static final String COMPLAINT = "complaint";

	private static final String OTHER = "other";

	/** So narrow that no server can make up thousands of them. */
	private static final Pattern CODE = Pattern.compile("(?<![\\d.])5\\.[0-7]\\.\\d{1,2}(?!\\.?\\d)");

	/** The cause that a receiver's words name. */
	static String of(String reply) {
		Matcher code = CODE.matcher(reply);
		return code.find() ? code.group() : OTHER;
	}

	/** The same in words. */
	public String meaning() {
		if (this.cause.equals(COMPLAINT)) {
			return "A recipient reported the mail as spam";
		}
		return switch (this.cause.equals(OTHER) ? '0' : this.cause.charAt(2)) {
			case '1' -> "The address does not exist";
			case '2' -> "The mailbox takes no mail: it is closed, full or too small";
			case '3' -> "The receiving system cannot take such mail";
			case '4' -> "There is no way to the receiving system";
			case '5' -> "The receiving system did not understand the sending one";
			case '6' -> "The mail's content cannot be taken";
			case '7' -> "The receiver's policy forbids it";
			default -> "The receiver did not say why";
		};
	}
}
