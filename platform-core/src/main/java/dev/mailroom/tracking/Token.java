package dev.mailroom.tracking;

import java.util.List;
import java.util.UUID;

/** Content of a link in a mail: the account, and the object that the link refers to. */
public sealed interface Token {

	/** The account that sent the mail. */
	UUID accountId();

	/** The purpose, part of the MAC: a token is only valid for its own purpose. */
	String purpose();

	/** The ids of the token, in order. */
	List<UUID> ids();

	/** Records that the mail of the delivery was opened. */
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

	/** Records a click in the mail of the delivery. */
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

	/** Allows the contact to unsubscribe. */
	record Unsubscribe(UUID accountId, UUID contact) implements Token {

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
