package dev.mailroom.tracking;

import java.util.List;
import java.util.UUID;

/** What a link in a mail says of itself: whose it is, and what it is about. */
public sealed interface Token {

	/** The account that sent the mail. */
	UUID accountId();

	/** What the token is for: one made for another fits nowhere else. */
	String purpose();

	/** All that it says, in order. */
	List<UUID> ids();

	/** The mail of this delivery was opened. */
	record Open(UUID accountId, UUID delivery) implements Token {

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

	/** A link of this delivery's mail was clicked. */
	record Click(UUID accountId, UUID delivery, UUID link) implements Token {

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

	/** This contact may leave its book. */
	record Leave(UUID accountId, UUID contact) implements Token {

		static final String PURPOSE = "unsubscribe";

		@Override
		public String purpose() {
			return PURPOSE;
		}

		@Override
		public List<UUID> ids() {
			return List.of(this.accountId, this.contact);
		}

	}

}
