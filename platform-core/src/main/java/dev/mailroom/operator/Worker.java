package dev.mailroom.operator;

import java.time.Instant;
import java.util.UUID;

/**
 * A worker that runs or ran within the last day.
 *
 * @param dispatching whether it held the lock of the dispatcher when it was last seen
 * @param away whether it has not been seen for longer than a minute
 * @param destinations recipient domains that it contacted in the last ten minutes
 * @param connections its open connections to their servers, or to the relay
 * @param rate its hand-overs with a reply in the last minute
 * @param draining whether it stops and only finishes the hand-overs that it has begun
 * @param inHand deliveries that it has taken from the topic and not finished
 * @param senderThreads mails that it can hand over at the same time; 0 if unknown
 * @param busyThreads senderThreads in use
 */
public record Worker(UUID id, String host, boolean dispatching, Instant startedAt, Instant seenAt, boolean away,
		long destinations, long connections, long rate, boolean draining, int inHand, int senderThreads,
		int busyThreads) {

	/** The state of a worker as it reports it; see {@link Worker}. */
	public record Report(UUID id, String host, Instant startedAt, boolean dispatching, boolean draining, int inHand,
			int senderThreads, int busyThreads) {
	}

}
