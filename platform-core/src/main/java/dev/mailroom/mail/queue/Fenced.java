package dev.mailroom.mail.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * Result of the fence for a group of leases. A lease that is in neither list is void, or
 * it is held: its delivery must not be touched.
 *
 * @param handOvers deliveries to hand over now
 * @param barred deliveries that must not be handed over, to be settled by their reason
 * @param release frees the memory of the contents
 */
public record Fenced(List<HandOver> handOvers, List<Barred> barred, Runnable release) implements AutoCloseable {

	/**
	 * Attempts, over some hours, for which a mail waits for content that the bucket does
	 * not have: a copy of the bucket may lag behind, or be replaced.
	 */
	private static final int ATTEMPTS_WITHOUT_CONTENT = 7;

	static Fenced of(List<Transitions.FencedRow> rows, ContentFetcher.Fetched content, Runnable release) {
		List<HandOver> handOvers = new ArrayList<>();
		List<Barred> barred = new ArrayList<>();
		for (Transitions.FencedRow row : rows) {
			if (row.barred() == Reason.HELD) {
				continue;
			}
			MailStore.LoadedMail loaded = content.mails().get(row.emailId());
			Reason reason = row.barred();
			reason = (reason != null) ? reason : content.failures().get(row.emailId());
			if (reason == Reason.CONTENT_GONE && row.attempt() < ATTEMPTS_WITHOUT_CONTENT) {
				reason = Reason.CONTENT_MISSING;
			}
			if (reason == null && loaded != null) {
				handOvers
					.add(new HandOver(row.lease(), row.accountId(), row.emailId(), loaded.domainId(), row.recipient(),
							row.attempt(), row.ambiguous(), loaded.mail(), row.contactId(), loaded.openTracking(),
							loaded.clickTracking(), loaded.linkHost(), loaded.trace(), loaded.merge()));
			}
			else {
				barred.add(new Barred(row.lease(), (reason != null) ? reason : Reason.UNREADABLE));
			}
		}
		return new Fenced(handOvers, barred, release);
	}

	/** Frees the memory of the contents, so that others pass the fence. */
	@Override
	public void close() {
		this.release.run();
	}

	/** A delivery that must not be handed over. */
	public record Barred(Lease lease, Reason reason) {
	}

	/** Reasons for which a delivery is not handed over. */
	public enum Reason {

		/** The recipient is suppressed, or has left the contact book. */
		SUPPRESSED,
		/** The campaign was deleted. */
		CAMPAIGN_GONE,
		/**
		 * The campaign is not running, the destination is held, or the stream is paused.
		 * Such deliveries are held by the queue itself and are not returned here.
		 */
		HELD,
		/** All attempts are used up, and the last ones ended without a reply. */
		EXHAUSTED,
		/** The stored content is missing or cannot be parsed. */
		UNREADABLE,
		/** The bucket does not have the content now. */
		CONTENT_MISSING,
		/** The bucket has not had the content for hours. */
		CONTENT_GONE,
		/** The bucket did not return the content in time. */
		CONTENT_UNAVAILABLE,
		/** The contents of the mails in hand exceed the memory limit. */
		NO_ROOM

	}

}
