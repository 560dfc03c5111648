package dev.mailroom.mail.outcome;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;

/**
 * An entry of an account's suppression list.
 *
 * @param address in lower case
 */
public record Suppression(UUID id, UUID accountId, String address, SuppressionReason reason, Instant createdAt) {

	/** The position in lists. */
	public Page.Cursor cursor() {
		return new Page.Cursor(this.createdAt, this.id);
	}

	/**
	 * The entry of an address after a call that adds it.
	 *
	 * @param added whether the entry is new; an existing one keeps its reason and time
	 */
	public record Entered(Suppression suppression, boolean added) {
	}

}
