package dev.mailroom.worker.send;

import java.util.List;

import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Route;
import dev.mailroom.worker.transport.Transport;

/**
 * Leases that go by one session.
 *
 * @param line in which they waited
 */
record Chunk(String line, Transport transport, List<Lease> leases) {

	/** Of any of them: as far as a session is concerned they are alike. */
	Route route() {
		return this.leases.getFirst().route();
	}

}
