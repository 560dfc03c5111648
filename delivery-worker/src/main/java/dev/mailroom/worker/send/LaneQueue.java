package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Transport;
import dev.mailroom.worker.smtp.client.Transports;

import org.springframework.stereotype.Component;

/**
 * Leases that this worker has taken from the topic and not yet begun to send, in one
 * queue for each destination, so that a slow destination does not delay the others.
 * Leases that do not fit are rejected at once and never waited for.
 */
@Component
class LaneQueue {

	/** Interval at which lanes check a destination that could not use another lane. */
	private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	/** Wait of a lane while the queue is empty; new leases end it. */
	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

	/** Delay of leases that do not fit, so that other destinations come first. */
	private static final Duration OVERFLOW_DELAY = Duration.ofSeconds(5);

	/**
	 * Delay of leases that arrive during a shutdown, while the topic still assigns them
	 * here.
	 */
	private static final Duration CLOSED_DELAY = Duration.ofSeconds(1);

	/** Lanes that a destination or an account may always use. */
	private static final int MIN_LANES = 2;

	/** Percentage of the lanes not used by other accounts that one account may use. */
	private static final int MAX_ACCOUNT_PERCENT = 75;

	private static final int MAX_PACES = 10_000;

	private static final Duration PACE_TTL = Duration.ofMinutes(10);

	private final Transports transports;

	private final SendSettings settings;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition work = this.lock.newCondition();

	/** By key; the one served last is at the end. */
	private final Map<String, DestinationQueue> destinations = new LinkedHashMap<>();

	/** By key of the destination. */
	private final Cache<String, HandOverPace> paces = Caffeine.newBuilder()
		.maximumSize(MAX_PACES)
		.expireAfterAccess(PACE_TTL)
		.build();

	/** Busy lanes by account. */
	private final Map<UUID, Integer> accountLanes = new HashMap<>();

	private int waiting;

	/** Leases of the chunks that are being sent. */
	private int begun;

	private int busyLanes;

	private volatile boolean closed;

	LaneQueue(Transports transports, SendSettings settings) {
		this.transports = transports;
		this.settings = settings;
	}

	/**
	 * Adds leases without waiting.
	 * @return leases that were not added, by the delay after which they are due again
	 */
	Map<Duration, List<Lease>> offer(List<WaitingLease> leases) {
		Map<Duration, List<Lease>> rejected = new HashMap<>();
		this.lock.lock();
		try {
			for (WaitingLease lease : leases) {
				add(lease)
					.ifPresent((delay) -> rejected.computeIfAbsent(delay, (_) -> new ArrayList<>()).add(lease.lease()));
			}
			this.work.signalAll();
			return rejected;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Adds a lease; the delay after which it is due again, if it was not added. */
	private Optional<Duration> add(WaitingLease lease) {
		if (this.closed) {
			return Optional.of(CLOSED_DELAY);
		}
		Route route = lease.route();
		Transport transport = this.transports.of(route);
		Optional<Duration> closedFor = transport.closedFor(route);
		if (closedFor.isPresent()) {
			return closedFor;
		}
		String key = transport.name() + " " + transport.destination(route);
		DestinationQueue queue = this.destinations.computeIfAbsent(key,
				(_) -> new DestinationQueue(transport, route, this.paces.get(key, (_) -> new HandOverPace())));
		if (!queue.add(lease, this.settings.lanes() * this.settings.chunk() / 2)) {
			return Optional.of(OVERFLOW_DELAY);
		}
		this.waiting++;
		return Optional.empty();
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
			DestinationQueue queue = entry.getValue();
			int free = this.settings.lanes() - this.busyLanes;
			if (queue.mayUseLane(MIN_LANES, free)) {
				Optional<UUID> account = queue.nextAccount(MIN_LANES, free, (id) -> mayUseLane(id, free));
				if (account.isPresent()) {
					return begin(entry.getKey(), queue, account.get());
				}
			}
		}
		return Optional.empty();
	}

	/** Leaves lanes for other accounts if all destinations of one account are slow. */
	private boolean mayUseLane(UUID account, int free) {
		int lanes = this.accountLanes.getOrDefault(account, 0);
		return lanes < MIN_LANES || lanes < (lanes + free) * MAX_ACCOUNT_PERCENT / 100;
	}

	/** Empty if all leases of the account have expired. */
	private Optional<Chunk> begin(String key, DestinationQueue queue, UUID account) {
		int before = queue.size();
		List<Lease> leases = queue.take(account, this.settings.chunk());
		this.waiting -= before - queue.size();
		this.destinations.remove(key);
		if (leases.isEmpty() && queue.isUnused()) {
			return Optional.empty();
		}
		this.destinations.put(key, queue);
		if (leases.isEmpty()) {
			return Optional.empty();
		}
		queue.beginLane(account);
		this.busyLanes++;
		this.begun += leases.size();
		this.accountLanes.merge(account, 1, Integer::sum);
		return Optional.of(new Chunk(key, queue.transport(), leases, queue.pace()));
	}

	/** Frees the lane of a chunk. */
	void done(Chunk chunk) {
		this.lock.lock();
		try {
			this.busyLanes--;
			this.begun -= chunk.leases().size();
			this.accountLanes.computeIfPresent(chunk.route().accountId(), (_, lanes) -> (lanes > 1) ? lanes - 1 : null);
			this.destinations.computeIfPresent(chunk.destination(), (_, queue) -> {
				queue.endLane(chunk.route().accountId());
				return queue.isUnused() ? null : queue;
			});
			if (this.waiting > 0) {
				this.work.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The present use of the lanes. */
	LaneUse.Reading use() {
		this.lock.lock();
		try {
			return new LaneUse.Reading(this.waiting + this.begun, this.busyLanes, this.settings.lanes());
		}
		finally {
			this.lock.unlock();
		}
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
			List<Lease> rest = this.destinations.values().stream().flatMap((queue) -> queue.clear().stream()).toList();
			this.waiting = 0;
			this.work.signalAll();
			return rest;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether nothing more may be begun. */
	boolean isClosed() {
		return this.closed;
	}

}
