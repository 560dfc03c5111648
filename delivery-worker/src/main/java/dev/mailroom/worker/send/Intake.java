package dev.mailroom.worker.send;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.mailroom.outcome.Lease;
import org.springframework.stereotype.Component;

/**
 * The leases that this worker has taken from the topic and not yet begun with: bounded,
 * so that none grows old here.
 */
@Component
class Intake {

	private static final int WAIT_MILLIS = 200;

	private final BlockingQueue<Lease> waiting;

	private volatile boolean closed;

	Intake(SendSettings settings) {
		this.waiting = new LinkedBlockingQueue<>(2 * settings.lanes() * settings.chunk());
	}

	/**
	 * Puts leases in, waiting while there is no room.
	 * @return those that did not go in because the worker stops
	 */
	List<Lease> offer(List<Lease> leases) throws InterruptedException {
		int next = 0;
		while (next < leases.size() && !this.closed) {
			if (this.waiting.offer(leases.get(next), WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
				next++;
			}
		}
		return leases.subList(next, leases.size());
	}

	/** Takes what waits, at most so many; empty where nothing came for a while. */
	List<Lease> take(int most) throws InterruptedException {
		List<Lease> taken = new ArrayList<>();
		Lease first = this.closed ? null : this.waiting.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
		if (first != null) {
			taken.add(first);
			this.waiting.drainTo(taken, most - 1);
		}
		return taken;
	}

	/** Lets nothing more in, and says what had not been begun with. */
	List<Lease> close() {
		this.closed = true;
		List<Lease> rest = new ArrayList<>();
		this.waiting.drainTo(rest);
		return rest;
	}

	boolean isClosed() {
		return this.closed;
	}

}
