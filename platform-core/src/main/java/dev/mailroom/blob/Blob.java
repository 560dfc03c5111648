package dev.mailroom.blob;

import java.util.UUID;

/** A large part of a mail, such as its HTML or an attachment. */
public record Blob(Name name, byte[] content) {

	/**
	 * The name of a part.
	 *
	 * @param ownerId the id of the mail
	 * @param part the name within the mail, such as {@code html}
	 */
	public record Name(UUID accountId, UUID ownerId, String part) {

		/** The key of the object in the bucket, prefixed by the account. */
		String key() {
			return this.accountId + "/" + this.ownerId + "/" + this.part;
		}

	}

}
