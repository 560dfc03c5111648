package dev.mailroom.mail.queue;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.event.TraceParent;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that passed the fence: only the worker that fenced it may hand it over.
 *
 * @param attempt number of hand-overs begun before this one
 * @param ambiguous number of those that ended without a reply
 * @param mail shared by the mail's recipients
 * @param contactId the recipient's entry in a contact book; null if the mail was not sent
 * to a book
 * @param openTracking whether opens are tracked
 * @param clickTracking whether clicks are tracked
 * @param linkHost the tracking domain of its links; null for the shared name
 * @param trace the span of the request that sent the mail; null unless it was sampled
 * @param merge values of the placeholders in the mail of a campaign; null for other mail
 */
public record HandOver(Lease lease, UUID accountId, UUID emailId, UUID domainId, String recipient, int attempt,
		int ambiguous, StoredMail mail, @Nullable UUID contactId, boolean openTracking, boolean clickTracking,
		@Nullable String linkHost, @Nullable TraceParent trace, @Nullable Merge merge) {

	/** Whether the message contains links or headers made for this recipient alone. */
	public boolean isPersonal() {
		return this.contactId != null || (this.mail.html() != null && (this.openTracking || this.clickTracking));
	}

	/** The same hand-over with a rendered mail. */
	public HandOver with(StoredMail mail) {
		return new HandOver(this.lease, this.accountId, this.emailId, this.domainId, this.recipient, this.attempt,
				this.ambiguous, mail, this.contactId, this.openTracking, this.clickTracking, this.linkHost, this.trace,
				this.merge);
	}

	/** Identifies the composed message: hand-overs with the same key have equal bytes. */
	public UUID messageKey() {
		return isPersonal() ? this.lease.delivery() : this.emailId;
	}

	/**
	 * Values with which the bodies of a campaign are rendered for one contact.
	 *
	 * @param values values of placeholders by name, without the unsubscribe link
	 */
	public record Merge(UUID campaignId, Map<String, String> values) {

		public Merge {
			values = Map.copyOf(values);
		}

	}

}
