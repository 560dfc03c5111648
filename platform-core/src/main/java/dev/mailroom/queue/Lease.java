package dev.mailroom.queue;

import java.util.UUID;

/**
 * A delivery that a worker may take. Whoever holds an older epoch holds nothing.
 *
 * @param epoch raised by every lease of the delivery
 */
public record Lease(UUID delivery, int epoch, Route route) {

	/** A lease whose way does not matter any more. */
	public Lease(UUID delivery, int epoch) {
		this(delivery, epoch, Route.UNKNOWN);
	}

}
