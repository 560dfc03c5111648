package dev.mailroom.mail.draft;

import dev.mailroom.Refused;

/** One mail of a request to send, as its protocol received it. */
public sealed interface UncheckedMail permits Submission, UncheckedMail.Unreadable {

	/**
	 * A mail whose fields have the wrong types. In a batch the others are not affected.
	 */
	record Unreadable(Refused reason) implements UncheckedMail {
	}

}
