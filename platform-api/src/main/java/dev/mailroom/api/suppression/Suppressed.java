package dev.mailroom.api.suppression;

/**
 * The answer to POST /suppressions/bulk.
 *
 * @param count how many addresses were not on the list before
 */
record Suppressed(String message, long count) {

	static Suppressed of(long count) {
		return new Suppressed(count + " addresses added", count);
	}

}
