package dev.mailroom.worker.transport;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.outcome.Outcome;
import io.netty.handler.codec.smtp.SmtpResponse;

/**
 * What a server said, and what it means.
 *
 * @param code the three digits (RFC 5321 4.2)
 * @param lines what stands behind them, line by line
 */
record Reply(int code, List<String> lines) {

	private static final int LONGEST = 1000;

	/** The enhanced status code behind the three digits (RFC 3463). */
	private static final Pattern ENHANCED = Pattern.compile("^\\d{3}[ -](\\d\\.\\d{1,3}\\.\\d{1,3})\\b");

	/**
	 * No such user, no such host, bad address, moved, no mail for that domain (RFC 3463,
	 * RFC 7505).
	 */
	private static final List<String> BAD_ADDRESS = List.of("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10");

	/** What a server without enhanced codes says of a mailbox that is not there. */
	private static final List<Integer> BAD_MAILBOX = List.of(550, 551, 553);

	static Reply of(SmtpResponse response) {
		return new Reply(response.code(), response.details().stream().map(CharSequence::toString).toList());
	}

	/** All of it in one line, for people. */
	String text() {
		String line = this.code + " " + String.join(" ", this.lines).strip();
		return (line.length() > LONGEST) ? line.substring(0, LONGEST) : line;
	}

	boolean isPositive() {
		return this.code / 100 == 2;
	}

	boolean goesOn() {
		return this.code / 100 == 3;
	}

	/** Whether the server closes the session with this (RFC 5321 3.8). */
	boolean closes() {
		return this.code == 421;
	}

	/** What a refusal comes to: for good, or for now. */
	Outcome refusal(boolean ofRecipient) {
		return (this.code / 100 == 5) ? new Outcome.Bounced(isHard(ofRecipient), text()) : new Outcome.Deferred(text());
	}

	private boolean isHard(boolean ofRecipient) {
		Matcher enhanced = ENHANCED.matcher(text());
		return enhanced.find() ? BAD_ADDRESS.contains(enhanced.group(1))
				: ofRecipient && BAD_MAILBOX.contains(this.code);
	}

}
