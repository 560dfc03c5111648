package dev.mailroom.worker.compose;

import java.time.Duration;

import dev.mailroom.mail.queue.StoredMail;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a message. A mail that exceeds one fails alone and does not occupy the
 * threads that all mails share.
 */
final class ComposeLimits {

	/** Limit on each of the two bodies in characters. */
	static final int MAX_BODY_LENGTH = 10 * 1024 * 1024;

	/** Limit on the lines of each body. */
	static final int MAX_LINES = 1_000_000;

	/** Limit on the tracked links of a mail. */
	static final int MAX_LINKS = 5_000;

	/** Limit on the tags of HTML that may be links; each takes half a KB. */
	static final int MAX_HREFS = 100_000;

	/** Limit on one step of composing; it does not include waiting for a thread. */
	static final Duration MAX_TIME = Duration.ofSeconds(10);

	/** Length of the bodies up to which composing takes less than a change of threads. */
	private static final int SHORT_LENGTH = 64 * 1024;

	private ComposeLimits() {
	}

	/**
	 * Checks the lengths before anything is parsed or written.
	 * @throws Composer.Unrenderable if a body is too long
	 */
	static void check(StoredMail mail) {
		checkLength("text", mail.text());
		checkLength("HTML", mail.html());
	}

	private static void checkLength(String body, @Nullable String text) {
		if (length(text) > MAX_BODY_LENGTH) {
			throw new Composer.Unrenderable("The " + body + " of the mail has " + length(text) + " characters; at most "
					+ MAX_BODY_LENGTH + " can be sent. Send large content as an attachment");
		}
	}

	/** Checks the number of lines of a body. */
	static void checkLines(int lines) {
		if (lines > MAX_LINES) {
			throw new Composer.Unrenderable(
					"A body of the mail has " + lines + " lines; at most " + MAX_LINES + " can be sent");
		}
	}

	/** Checks the number of tags with a link, tracked or not. */
	static void checkHrefs(int hrefs) {
		if (hrefs > MAX_HREFS) {
			throw new Composer.Unrenderable("The HTML of the mail has more than " + MAX_HREFS
					+ " links; it can be sent only without open and click tracking");
		}
	}

	/** Checks the number of tracked links. */
	static void checkLinks(int links) {
		if (links > MAX_LINKS) {
			throw new Composer.Unrenderable("The HTML of the mail has " + links + " tracked links; at most " + MAX_LINKS
					+ " can be sent. Send it without click tracking");
		}
	}

	/**
	 * The error of a mail that takes too long. Only the second time is final, because the
	 * process may have been stopped for the first.
	 */
	static RuntimeException timeout(boolean repeated) {
		String reason = "The mail could not be composed within " + MAX_TIME.toSeconds() + " seconds";
		return repeated ? new Composer.Unrenderable(reason) : new IllegalStateException(reason);
	}

	/** Whether a mail is short and has no attachments. */
	static boolean isShort(StoredMail mail) {
		return mail.attachments().isEmpty() && length(mail.text()) + length(mail.html()) <= SHORT_LENGTH;
	}

	private static long length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

}
