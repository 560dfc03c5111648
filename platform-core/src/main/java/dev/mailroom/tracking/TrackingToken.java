package dev.mailroom.tracking;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Content of a link in a mail: the account, and the object that the link refers to. */
public sealed interface TrackingToken {

	/** The account that sent the mail. */
	UUID accountId();

	/** The purpose, part of the MAC: a token is only valid for its own purpose. */
	String purpose();

	/** The ids of the token, in order. */
	List<UUID> ids();

	private static Instant time(UUID id) {
		return Instant.ofEpochMilli(id.getMostSignificantBits() >>> Short.SIZE);
	}

	/** Records that the mail of the delivery was opened. */
	record Open(UUID accountId, UUID delivery) implements TrackingToken {

		static final String PURPOSE = "open";

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return List.of(this.accountId, this.delivery);
		}

	}

	/** Records a click in the mail of the delivery. */
	record Click(UUID accountId, UUID delivery, UUID link) implements TrackingToken {

		static final String PURPOSE = "click";

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return List.of(this.accountId, this.delivery, this.link);
		}

	}

	/**
	 * Allows the contact to unsubscribe.
	 *
	 * @param campaignId the campaign whose mail has the link; null for other mail
	 */
	record Unsubscribe(UUID accountId, UUID contact, @Nullable UUID campaignId) implements TrackingToken {

		static final String PURPOSE = "unsubscribe";

		/** The link of a mail that belongs to no campaign. */
		public Unsubscribe(UUID accountId, UUID contact) {
			this(accountId, contact, null);
		}

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return (this.campaignId != null) ? List.of(this.accountId, this.contact, this.campaignId)
					: List.of(this.accountId, this.contact);
		}

	}

	/**
	 * Allows the person to confirm the subscription of a contact.
	 *
	 * @param request UUIDv7, whose time is that of the mail (RFC 9562 5.7)
	 */
	record Confirmation(UUID accountId, UUID contact, UUID request) implements TrackingToken {

		/** Time for which the link of a mail is valid. */
		public static final Duration LIFETIME = Duration.ofDays(7);

		static final String PURPOSE = "confirmation";

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return List.of(this.accountId, this.contact, this.request);
		}

		/** Whether the link is too old. */
		public boolean isExpired(Instant now) {
			return time(this.request).plus(LIFETIME).isBefore(now);
		}

	}

	/**
	 * Allows the owner of an address to confirm that mail is forwarded to it.
	 *
	 * @param request UUIDv7, whose time is that of the mail (RFC 9562 5.7)
	 */
	record ForwardConfirmation(UUID accountId, UUID target, UUID request) implements TrackingToken {

		static final String PURPOSE = "forward";

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return List.of(this.accountId, this.target, this.request);
		}

		/** Whether the link is too old. */
		public boolean isExpired(Instant now) {
			return time(this.request).plus(Confirmation.LIFETIME).isBefore(now);
		}

	}

	/**
	 * Gets the source of a received mail.
	 *
	 * @param email UUIDv7, whose time is that of the arrival (RFC 9562 5.7)
	 */
	record Received(UUID accountId, UUID email) implements TrackingToken {

		static final String PURPOSE = "received";

		private static final Duration LIFETIME = Duration.ofHours(1);

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return List.of(this.accountId, this.email);
		}

		/** Whether the mail arrived too long ago. */
		public boolean isExpired(Instant now) {
			return time(this.email).plus(LIFETIME).isBefore(now);
		}

	}

	/** Shows an image of the account. */
	record ImageLink(UUID accountId, UUID id) implements TrackingToken {

		static final String PURPOSE = "image";

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return List.of(this.accountId, this.id);
		}

	}

	/** Shows the logo of the account. */
	record Logo(UUID accountId, UUID id) implements TrackingToken {

		static final String PURPOSE = "logo";

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return List.of(this.accountId, this.id);
		}

	}

}
