package dev.mailroom.worker.smtp.client;

import java.util.List;

import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import io.netty.handler.codec.smtp.SmtpResponse;

/**
 * Reply of a server.
 *
 * @param code reply code (RFC 5321 section 4.2)
 * @param lines text of each line
 */
record Reply(int code, List<String> lines) {

	private static final int MAX_LENGTH = 1000;

	/** Sender address malformed, or its domain does not exist (RFC 3463 section 3.2). */
	private static final List<String> BAD_SENDER = List.of("5.1.7", "5.1.8");

	/** AUTH missing, insufficient, failed, or requiring TLS (RFC 4954 section 6). */
	private static final List<Integer> NOT_AUTHENTICATED = List.of(530, 534, 535, 538);

	static Reply of(SmtpResponse response) {
		return new Reply(response.code(), response.details().stream().map(CharSequence::toString).toList());
	}

	/** Code and text in one line. */
	String text() {
		String line = this.code + " " + String.join(" ", this.lines).strip();
		return (line.length() > MAX_LENGTH) ? line.substring(0, MAX_LENGTH) : line;
	}

	/** Whether this is a 2yz reply. */
	boolean isPositive() {
		return this.code / 100 == 2;
	}

	/** Whether this is a 3yz reply: the server expects more input. */
	boolean isIntermediate() {
		return this.code / 100 == 3;
	}

	/** Whether the server closes the session with this reply (RFC 5321 section 3.8). */
	boolean closesSession() {
		return this.code == 421;
	}

	/**
	 * Outcome of a refusal. Only a refusal of the recipient can be a bounce. A missing
	 * authentication (RFC 4954 section 6) is deferred, because the operator can correct
	 * it. A refusal of the sender (X.1.7 and X.1.8 of RFC 3463 section 3.2, and any
	 * refusal of MAIL) fails the mail without a statement about the recipient.
	 */
	Outcome refusal(Stage stage) {
		if (this.code / 100 != 5 || NOT_AUTHENTICATED.contains(this.code)) {
			return new Outcome.Deferred(text());
		}
		if (stage == Stage.MAIL || BAD_SENDER.contains(Bounce.enhanced(text()))) {
			return new Outcome.Failed(text());
		}
		return new Outcome.Bounced(Bounce.of(text(), stage == Stage.RCPT).type(), text());
	}

	/** Stage of the transaction that a reply belongs to. */
	enum Stage {

		MAIL, RCPT, DATA, BODY

	}

}
