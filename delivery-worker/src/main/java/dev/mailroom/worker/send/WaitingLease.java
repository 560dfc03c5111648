package dev.mailroom.worker.send;

import java.util.UUID;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;

/**
 * A lease that this worker holds and has not begun.
 *
 * @param expiry end of the lease on the clock of {@link System#nanoTime()}
 */
record WaitingLease(Lease lease, long expiry) {

	Route route() {
		return this.lease.route();
	}

	UUID account() {
		return this.lease.route().accountId();
	}

	boolean isExpired() {
		return System.nanoTime() - this.expiry >= 0;
	}

}
