package dev.mailroom.worker.smtpd;

import java.nio.charset.StandardCharsets;

/**
 * How many servers a mail has passed, as it says itself: one that has passed too many
 * goes in circles (RFC 5321 6.3).
 */
final class ReceivedCount {

	private static final int MOST = 100;

	private static final byte[] RECEIVED = "received:".getBytes(StandardCharsets.US_ASCII);

	private ReceivedCount() {
	}

	/**
	 * Whether a mail goes in circles.
	 * @param content whose lines all end with CR LF
	 */
	static boolean areTooMany(byte[] content) {
		int hops = 0;
		for (int line = 0; line < content.length && content[line] != '\r' && hops <= MOST; line = next(content, line)) {
			hops += begins(content, line) ? 1 : 0;
		}
		return hops > MOST;
	}

	private static int next(byte[] content, int line) {
		int end = line;
		while (end < content.length && content[end] != '\n') {
			end++;
		}
		return end + 1;
	}

	private static boolean begins(byte[] content, int line) {
		if (line + RECEIVED.length > content.length) {
			return false;
		}
		for (int i = 0; i < RECEIVED.length; i++) {
			if (Character.toLowerCase(content[line + i]) != RECEIVED[i]) {
				return false;
			}
		}
		return true;
	}

}
