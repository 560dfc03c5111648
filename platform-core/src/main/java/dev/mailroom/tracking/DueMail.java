package dev.mailroom.tracking;

import java.util.UUID;

import dev.mailroom.Scope;

/**
 * A mail to be sent to a contact whose consent is pending.
 *
 * @param book name of the contact book
 * @param mails number of mails sent to the contact before
 */
record DueMail(UUID accountId, UUID contactId, String email, String book, int mails) {

	Scope scope() {
		return Scope.of(this.accountId);
	}

	/** Identifies the mail, so that it is sent once even if a worker crashes. */
	String name() {
		return "%s %d".formatted(this.contactId, this.mails);
	}

}
