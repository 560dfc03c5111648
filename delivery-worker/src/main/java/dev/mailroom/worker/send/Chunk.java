package dev.mailroom.worker.send;

import java.util.List;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Transport;

/**
 * Leases of one account to be handed over in one session; they pass the fence together.
 *
 * @param destination key of their destination in the {@link LaneQueue}
 */
record Chunk(String destination, Transport transport, List<Lease> leases, HandOverPace pace) {

	/** The route of any lease: all of them share a session. */
	Route route() {
		return this.leases.getFirst().route();
	}

}
