package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.time.Instant;

import dev.mailroom.mail.queue.Holds;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.source.SendingSources;

import org.springframework.stereotype.Component;

/**
 * The stops of operators as this worker last read them: it reads them when a change is
 * notified. The fence checks held destinations again in the database; this copy avoids
 * leases and sessions for them. Sending addresses and pools are read with them.
 */
@Component
public class HoldWatch {

	/** Time between two reads while changes are notified or reads fail. */
	private static final Duration INTERVAL = Duration.ofMillis(250);

	private final Holds holds;

	private final SendingSources sources;

	private volatile Runnable resumed = () -> {
	};

	private volatile Holds.Stops stops = Holds.Stops.UNKNOWN;

	/** The database's time by that of this machine's monotonic clock. */
	private volatile Reading reading = new Reading(Instant.EPOCH, System.nanoTime());

	HoldWatch(Holds holds, SendingSources sources, WorkLoops loops) {
		this.holds = holds;
		this.sources = sources;
		loops.add("held destinations", INTERVAL, this::read);
	}

	/**
	 * Reads the stops. Those read last stay in force while the database does not reply.
	 * @return false: the next read follows a notification
	 */
	private boolean read() {
		this.sources.read();
		Holds.Stops read = this.holds.stops();
		boolean ended = this.stops.paused() && !read.paused();
		this.stops = read;
		this.reading = new Reading(read.readAt(), System.nanoTime());
		if (ended) {
			this.resumed.run();
		}
		return false;
	}

	/** Whether the database was read since the start. */
	public boolean isRead() {
		return this.reading.time().isAfter(Instant.EPOCH);
	}

	/** Whether an operator holds the destination of a route. */
	public boolean isHeld(Route route) {
		return this.stops.destinations().contains(route.domain());
	}

	/** Whether an operator paused the queue, or the stops were not read yet. */
	public boolean isPaused() {
		return this.stops.paused();
	}

	/**
	 * The time by the database's clock, to about a second, independent of this machine's
	 * clock; in 1970 before the first read.
	 */
	public Instant databaseTime() {
		Reading last = this.reading;
		return last.time().plusNanos(System.nanoTime() - last.nanos());
	}

	/** Sets what is called when a pause of the queue has ended. */
	void onResume(Runnable resumed) {
		this.resumed = resumed;
	}

	/**
	 * A reading of the database's clock.
	 *
	 * @param nanos the time of {@link System#nanoTime()} at that moment
	 */
	private record Reading(Instant time, long nanos) {
	}

}
