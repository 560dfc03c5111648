package dev.mailroom.api.contact;

import dev.mailroom.contact.Tally;

/**
 * The answer to a bulk call.
 *
 * @param count how many contacts were added
 * @param updated how many were there and were updated
 */
record Added(String message, long count, long updated) {

	static Added of(Tally tally) {
		return new Added(tally.added() + " contacts added, " + tally.updated() + " updated", tally.added(),
				tally.updated());
	}

}
