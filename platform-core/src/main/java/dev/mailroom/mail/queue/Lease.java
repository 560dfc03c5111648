package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.mail.queue.Transitions.LeasedRow;

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

	/**
	 * Application event, published for each stream of the deliveries leased in one turn.
	 *
	 * @param late time from when each delivery was due until its lease
	 */
	public record Lateness(String stream, List<Duration> late) {

		static List<Lateness> of(List<LeasedRow> rows) {
			Map<String, List<Duration>> late = new LinkedHashMap<>();
			for (LeasedRow row : rows) {
				if (row.lateSeconds() != null) {
					late.computeIfAbsent(Boolean.TRUE.equals(row.campaign()) ? "campaign" : "transactional",
							(_) -> new ArrayList<>())
						.add(Duration.ofNanos((long) (row.lateSeconds() * 1e9)));
				}
			}
			return late.entrySet().stream().map((stream) -> new Lateness(stream.getKey(), stream.getValue())).toList();
		}

	}

}
