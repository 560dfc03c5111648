package dev.mailroom.fleet;

import java.time.Instant;
import java.util.UUID;

/**
 * A worker that runs or ran within the last day.
 *
 * @param dispatching whether it held the lock of the dispatcher when it was last seen
 * @param away whether it has not been seen for longer than a minute
 */
public record Worker(UUID id, String host, boolean dispatching, Instant startedAt, Instant seenAt, boolean away) {
}
