package dev.mailroom.suppression;

import java.time.Instant;
import java.util.UUID;

/**
 * An entry of an account's suppression list.
 *
 * @param address lower-case
 * @param reason hard_bounce, complaint, unsubscribe or manual
 */
public record Suppression(UUID id, UUID accountId, String address, String reason, Instant createdAt) {

	/** What became of an address: entered now, or there before and left as it was. */
	public record Entered(Suppression suppression, boolean added) {
	}

}
