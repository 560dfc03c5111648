package dev.mailroom.worker.send;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Route;
import dev.mailroom.worker.transport.Transport;
import dev.mailroom.worker.transport.Transports;

import org.springframework.stereotype.Component;

/**
 * Leases that this worker has taken from the topic and not yet begun to send, in one
 * queue for each destination, so that a slow destination does not delay the others. All
 * queues are bounded, because leases expire.
 */
@Component
class LaneQueue {

	private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	/** Wait of a lane while the queue is empty; new leases end it. */
	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

	/** Wait for room in the queue of one destination while others could be served. */
	private static final long OFFER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Lanes that a destination or an account may always use. */
	private static final int MIN_LANES = 2;

	/** Percentage of the lanes not used by other accounts that one account may use. */
	private static final int MAX_ACCOUNT_PERCENT = 75;

	private final Transports transports;

	private final SendSettings settings;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition work = this.lock.newCondition();

	private final Condition space = this.lock.newCondition();

	/** By key; the one served last is at the end. */
	private final Map<String, DestinationQueue> destinations = new LinkedHashMap<>();

	/** Busy lanes by account. */
	private final Map<UUID, Integer> accountLanes = new HashMap<>();

	private int waiting;

	private int busyLanes;

	private volatile boolean closed;

	LaneQueue(Transports transports, SendSettings settings) {
		this.transports = transports;
		this.settings = settings;
	}

	/**
	 * Adds leases and waits for room, but only for a limited time if leases for other
	 * destinations may follow.
	 * @return leases that were not added
	 */
	List<Lease> offer(List<Lease> leases) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			List<Lease> rejected = add(leases);
			for (long left = OFFER_NANOS; !rejected.isEmpty() && !this.closed && (left > 0 || isOneDestination());) {
				left -= WAIT_NANOS - this.space.awaitNanos(WAIT_NANOS);
				rejected = add(rejected);
			}
			return rejected;
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<Lease> add(List<Lease> leases) {
		List<Lease> rejected = new ArrayList<>();
		for (Lease lease : leases) {
			if (this.closed || this.waiting >= capacity() || !destination(lease).add(lease, capacity() / 2)) {
				rejected.add(lease);
			}
			else {
				this.waiting++;
			}
		}
		this.work.signalAll();
		return rejected;
	}

	private DestinationQueue destination(Lease lease) {
		Transport transport = this.transports.of(lease.route());
		return this.destinations.computeIfAbsent(transport.name() + " " + transport.destination(lease.route()),
				(_) -> new DestinationQueue(transport, lease.route()));
	}

	/** Takes the next chunk for a lane; empty if none becomes available for a while. */
	Optional<Chunk> take() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			Optional<Chunk> next = next();
			for (long left = waitNanos(); next.isEmpty() && !this.closed && left > 0;) {
				left = Math.min(this.work.awaitNanos(left), waitNanos());
				next = next();
			}
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long waitNanos() {
		return (this.waiting == 0) ? IDLE_NANOS : WAIT_NANOS;
	}

	private Optional<Chunk> next() {
		for (Map.Entry<String, DestinationQueue> entry : this.destinations.entrySet()) {
			if (mayBegin(entry.getValue())) {
				return Optional.of(begin(entry.getKey(), entry.getValue()));
			}
		}
		return Optional.empty();
	}

	/**
	 * Whether a destination may use another lane: its transport has a session, and at
	 * least as many lanes are free as the destination uses.
	 */
	private boolean mayBegin(DestinationQueue destination) {
		int free = this.settings.lanes() - this.busyLanes;
		Lease next = destination.leases.peek();
		return next != null && (destination.lanes < MIN_LANES || destination.lanes < free)
				&& destination.lanes < destination.transport.room(destination.route)
				&& mayBegin(next.route().accountId(), free);
	}

	/** Leaves lanes for other accounts if all destinations of one account are slow. */
	private boolean mayBegin(UUID account, int free) {
		int lanes = this.accountLanes.getOrDefault(account, 0);
		return lanes < MIN_LANES || lanes < (lanes + free) * MAX_ACCOUNT_PERCENT / 100;
	}

	private Chunk begin(String key, DestinationQueue destination) {
		List<Lease> leases = new ArrayList<>();
		while (leases.size() < this.settings.chunk() && !destination.leases.isEmpty()) {
			leases.add(destination.leases.remove());
		}
		destination.lanes++;
		this.busyLanes++;
		this.accountLanes.merge(leases.getFirst().route().accountId(), 1, Integer::sum);
		this.waiting -= leases.size();
		this.destinations.remove(key);
		this.destinations.put(key, destination);
		this.space.signalAll();
		return new Chunk(key, destination.transport, leases);
	}

	/** Frees the lane of a chunk. */
	void done(Chunk chunk) {
		this.lock.lock();
		try {
			this.busyLanes--;
			this.accountLanes.computeIfPresent(chunk.route().accountId(), (_, lanes) -> (lanes > 1) ? lanes - 1 : null);
			this.destinations.computeIfPresent(chunk.destination(),
					(_, queue) -> (--queue.lanes == 0 && queue.leases.isEmpty()) ? null : queue);
			this.work.signalAll();
			this.space.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private int capacity() {
		return this.settings.lanes() * this.settings.chunk();
	}

	/** Whether waiting delays no other destination, as all mail goes to the same one. */
	private boolean isOneDestination() {
		return this.destinations.values().stream().allMatch((queue) -> queue.transport.isOneForAll());
	}

	/** Accepts leases again after {@link #close}. */
	void open() {
		this.closed = false;
	}

	/** Rejects further leases and removes the waiting ones. */
	List<Lease> close() {
		this.lock.lock();
		try {
			this.closed = true;
			List<Lease> rest = new ArrayList<>();
			this.destinations.values().forEach((queue) -> {
				rest.addAll(queue.leases);
				queue.leases.clear();
			});
			this.waiting = 0;
			this.work.signalAll();
			this.space.signalAll();
			return rest;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isClosed() {
		return this.closed;
	}

	/** Waiting leases for one destination, and the number of lanes it uses. */
	private static final class DestinationQueue {

		private final Transport transport;

		private final Route route;

		private final Queue<Lease> leases = new ArrayDeque<>();

		private int lanes;

		DestinationQueue(Transport transport, Route route) {
			this.transport = transport;
			this.route = route;
		}

		boolean add(Lease lease, int maxLeases) {
			return this.leases.size() < maxLeases && this.leases.add(lease);
		}

	}

}
