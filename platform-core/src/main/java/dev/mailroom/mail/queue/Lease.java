package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The right of a worker to pass the fence with a delivery, as long as the epoch of its
 * row is still the same. It exists on the topic and in memory only.
 *
 * @param epoch as of the row in the queue; the results of a hand-over have the next one
 */
public record Lease(UUID delivery, int epoch, Route route) {

	/** A lease of which only the delivery and the epoch are needed. */
	public Lease(UUID delivery, int epoch) {
		this(delivery, epoch, Route.UNKNOWN);
	}

	/** The same lease with another route. */
	public Lease by(Route route) {
		return new Lease(this.delivery, this.epoch, route);
	}

	/**
	 * Application event, published for each stream of the deliveries leased in one turn.
	 *
	 * @param late time from when each delivery was due until its lease
	 */
	public record Lateness(String stream, List<Duration> late) {

		static List<Lateness> of(List<ReadyMail.Due> leased) {
			Map<String, List<Duration>> late = new LinkedHashMap<>();
			for (ReadyMail.Due due : leased) {
				late.computeIfAbsent(due.stream().campaign() ? "campaign" : "transactional", (_) -> new ArrayList<>())
					.add(due.late());
			}
			return late.entrySet().stream().map((stream) -> new Lateness(stream.getKey(), stream.getValue())).toList();
		}

	}

}
