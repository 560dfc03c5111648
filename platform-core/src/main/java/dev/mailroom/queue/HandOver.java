package dev.mailroom.queue;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A delivery behind the fence: this worker, and no other, hands it over now.
 *
 * @param attempt hand-overs begun before this one
 * @param ambiguous how many of them ended without an answer
 * @param mail shared by the mail's recipients
 * @param contactId the contact of a book that it goes to; null where it goes to none
 * @param openTracking whether opens are told
 * @param clickTracking whether clicks are told
 */
public record HandOver(Lease lease, UUID accountId, UUID emailId, UUID domainId, String recipient, int attempt,
		int ambiguous, Mail mail, @Nullable UUID contactId, boolean openTracking, boolean clickTracking) {

	/** Whether what goes to this recipient goes to nobody else in the same words. */
	public boolean isOwn() {
		return this.contactId != null || (this.mail.html() != null && (this.openTracking || this.clickTracking));
	}

	/** What those hand-overs have in common that have the same bytes. */
	public UUID bytes() {
		return isOwn() ? this.lease.delivery() : this.emailId;
	}

}
