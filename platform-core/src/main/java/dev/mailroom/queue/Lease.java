package dev.mailroom.queue;

import java.util.UUID;

/**
 * The right of a worker to take a delivery. Only the newest lease of a delivery is valid.
 *
 * @param epoch different for each lease of the delivery
 */
public record Lease(UUID delivery, int epoch, Route route) {

	/** A lease of which only the delivery and the epoch are needed. */
	public Lease(UUID delivery, int epoch) {
		this(delivery, epoch, Route.UNKNOWN);
	}

}
