package dev.mailroom.blob;

import java.util.UUID;

/** A part of something, and what it holds. */
public record Blob(Name name, byte[] content) {

	/**
	 * What a part is known by.
	 *
	 * @param ownerId the mail that it is a part of
	 * @param part one word, such as html
	 */
	public record Name(UUID accountId, UUID ownerId, String part) {

		/** The object's key: all that is an account's lies together. */
		String key() {
			return this.accountId + "/" + this.ownerId + "/" + this.part;
		}

	}

}
