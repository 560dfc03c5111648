package dev.mailroom.worker.transport;

import java.util.List;

import dev.mailroom.outcome.Bounce;
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

	/** A sender's address that is malformed, or cannot be answered (RFC 3463 3.2). */
	private static final List<String> BAD_SENDER = List.of("5.1.7", "5.1.8");

	/** To sign in is needed, is not enough, has failed, or needs TLS (RFC 4954 6). */
	private static final List<Integer> NOT_SIGNED_IN = List.of(530, 534, 535, 538);

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

	/**
	 * What a refusal comes to: for good, or for now. Only what is said of the recipient
	 * may bounce. That we are not signed in (RFC 4954 6) is for the operator to mend, and
	 * no mail is lost meanwhile; that the sender is not taken (X.1.7, X.1.8 of RFC 3463
	 * 3.2, and whatever is answered to MAIL) fails the mail and says nothing of whom it
	 * was for.
	 */
	Outcome refusal(Step step) {
		if (this.code / 100 != 5 || NOT_SIGNED_IN.contains(this.code)) {
			return new Outcome.Deferred(text());
		}
		if (step == Step.MAIL || BAD_SENDER.contains(Bounce.enhanced(text()))) {
			return new Outcome.Failed(text());
		}
		return new Outcome.Bounced(Bounce.of(text(), step == Step.RCPT).type(), text());
	}

	/** What was answered. */
	enum Step {

		MAIL, RCPT, DATA, BODY

	}

}
