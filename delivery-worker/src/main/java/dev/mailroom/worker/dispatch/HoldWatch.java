package dev.mailroom.worker.dispatch;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.mailroom.hold.Holds;
import dev.mailroom.queue.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The stops of operators as this worker last read them, at most about a second ago. The
 * fence checks held destinations again in the database; this copy avoids leases and
 * sessions for them.
 */
@Component
public class HoldWatch {

	private static final Logger log = LoggerFactory.getLogger(HoldWatch.class);

	private final Holds holds;

	private final Sinks.Many<Boolean> resumed = Sinks.many().multicast().directBestEffort();

	private volatile Holds.Stops stops = Holds.Stops.UNKNOWN;

	/** The database's time by that of this machine's monotonic clock. */
	private volatile Reading reading = new Reading(Instant.EPOCH, System.nanoTime());

	HoldWatch(Holds holds) {
		this.holds = holds;
	}

	/**
	 * Reads the stops. Those read last stay in force while the database does not reply.
	 */
	@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
	Mono<Void> read() {
		return Mono.defer(this.holds::stops).doOnNext((read) -> {
			boolean ended = this.stops.paused() && !read.paused();
			this.stops = read;
			this.reading = new Reading(read.readAt(), System.nanoTime());
			if (ended) {
				this.resumed.tryEmitNext(true);
			}
		}).onErrorResume((error) -> {
			log.warn("The held destinations could not be read: {}", error.toString());
			return Mono.empty();
		}).then();
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

	/** Emits when a pause of the queue has ended. */
	Flux<Boolean> resumed() {
		return this.resumed.asFlux();
	}

	/**
	 * A reading of the database's clock.
	 *
	 * @param nanos the time of {@link System#nanoTime()} at that moment
	 */
	private record Reading(Instant time, long nanos) {
	}

}
