package dev.mailroom.api.contact;

import dev.mailroom.contact.SaveCount;

/**
 * The answer to a bulk call.
 *
 * @param count how many contacts were added
 * @param updated how many were there and were updated
 */
record BulkResult(String message, long count, long updated) {

	static BulkResult of(SaveCount tally) {
		return new BulkResult(tally.added() + " contacts added, " + tally.updated() + " updated", tally.added(),
				tally.updated());
	}

}
