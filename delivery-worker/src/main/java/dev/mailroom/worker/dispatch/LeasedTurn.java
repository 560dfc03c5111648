package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.queue.Lease;
import dev.mailroom.worker.transport.Transports;

/**
 * Leases of a turn, without those for destinations that this worker knows to be closed or
 * rate-limited: published, they would only be returned to the queue, again and again.
 *
 * @param open leases to be published
 * @param closed the others, by the delay after which they are due again
 */
record LeasedTurn(List<Lease> open, Map<Duration, List<Lease>> closed) {

	/** Delays are rounded up to it, so that there are few groups. */
	private static final Duration UNIT = Duration.ofSeconds(1);

	static LeasedTurn of(List<Lease> leases, Transports transports) {
		LeasedTurn turn = new LeasedTurn(new ArrayList<>(), new LinkedHashMap<>());
		leases.forEach((lease) -> transports.closedFor(lease.route())
			.ifPresentOrElse(
					(time) -> turn.closed.computeIfAbsent(roundedUp(time), (_) -> new ArrayList<>()).add(lease),
					() -> turn.open.add(lease)));
		return turn;
	}

	private static Duration roundedUp(Duration time) {
		return UNIT.multipliedBy(time.plus(UNIT).minusNanos(1).dividedBy(UNIT));
	}

}
