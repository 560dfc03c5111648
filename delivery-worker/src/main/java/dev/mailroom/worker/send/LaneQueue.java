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
 * The leases that this worker has taken from the topic and not yet begun with: a line for
 * each destination, so that a slow one holds up itself and nobody else. All is bounded,
 * so that nothing grows old here.
 */
@Component
class LaneQueue {

	private static final long WAIT = TimeUnit.MILLISECONDS.toNanos(200);

	/** For so long a line that does not move is waited for where others could. */
	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

	/** So many lanes a destination may have however many others want one. */
	private static final int LEAST = 2;

	/** So many of a hundred lanes that others do not use may be one account's. */
	private static final int ONE_ACCOUNTS = 75;

	private final Transports transports;

	private final SendSettings settings;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition work = this.lock.newCondition();

	private final Condition space = this.lock.newCondition();

	/** By destination; whose turn was last stands last. */
	private final Map<String, Line> lines = new LinkedHashMap<>();

	/** Lanes that are at work with an account's mail. */
	private final Map<UUID, Integer> accounts = new HashMap<>();

	private int waiting;

	private int busy;

	private boolean closed;

	LaneQueue(Transports transports, SendSettings settings) {
		this.transports = transports;
		this.settings = settings;
	}

	/**
	 * Puts leases in, waiting while there is no room; but not for long on one destination
	 * where there may be others.
	 * @return those that found no place
	 */
	List<Lease> offer(List<Lease> leases) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			List<Lease> outside = put(leases);
			for (long left = PATIENCE; !outside.isEmpty() && !this.closed && (left > 0 || nobodyElseWaits());) {
				left -= WAIT - this.space.awaitNanos(WAIT);
				outside = put(outside);
			}
			return outside;
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<Lease> put(List<Lease> leases) {
		List<Lease> outside = new ArrayList<>();
		for (Lease lease : leases) {
			if (this.closed || this.waiting >= capacity() || !line(lease).offer(lease, share())) {
				outside.add(lease);
			}
			else {
				this.waiting++;
			}
		}
		this.work.signalAll();
		return outside;
	}

	private Line line(Lease lease) {
		Transport transport = this.transports.of(lease.route());
		return this.lines.computeIfAbsent(transport.name() + " " + transport.destination(lease.route()),
				(_) -> new Line(transport, lease.route()));
	}

	/** Takes what a lane may work off together; empty where nothing came for a while. */
	Optional<Chunk> take() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			Optional<Chunk> next = next();
			if (next.isEmpty() && !this.closed) {
				this.work.awaitNanos(WAIT);
				next = next();
			}
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	private Optional<Chunk> next() {
		for (Map.Entry<String, Line> entry : this.lines.entrySet()) {
			if (mayGo(entry.getValue())) {
				return Optional.of(begin(entry.getKey(), entry.getValue()));
			}
		}
		return Optional.empty();
	}

	/**
	 * A destination may have no more lanes than it bears, and no more than are left for
	 * others.
	 */
	private boolean mayGo(Line line) {
		int free = this.settings.lanes() - this.busy;
		Lease next = line.leases.peek();
		return next != null && (line.busy < LEAST || line.busy < free) && line.busy < line.transport.room(line.route)
				&& mayGo(next.route().accountId(), free);
	}

	/**
	 * An account's destinations may all be slow: some lanes are kept for the other
	 * accounts.
	 */
	private boolean mayGo(UUID account, int free) {
		int theirs = this.accounts.getOrDefault(account, 0);
		return theirs < LEAST || theirs < (theirs + free) * ONE_ACCOUNTS / 100;
	}

	private Chunk begin(String name, Line line) {
		List<Lease> taken = new ArrayList<>();
		while (taken.size() < this.settings.chunk() && !line.leases.isEmpty()) {
			taken.add(line.leases.remove());
		}
		line.busy++;
		this.busy++;
		this.accounts.merge(taken.getFirst().route().accountId(), 1, Integer::sum);
		this.waiting -= taken.size();
		this.lines.remove(name);
		this.lines.put(name, line);
		this.space.signalAll();
		return new Chunk(name, line.transport, taken);
	}

	/** A lane has worked a chunk off. */
	void done(Chunk chunk) {
		this.lock.lock();
		try {
			this.busy--;
			this.accounts.computeIfPresent(chunk.route().accountId(), (_, lanes) -> (lanes > 1) ? lanes - 1 : null);
			this.lines.computeIfPresent(chunk.line(),
					(_, line) -> (--line.busy == 0 && line.leases.isEmpty()) ? null : line);
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

	/** So that one destination leaves room for what comes behind it. */
	private int share() {
		return capacity() / 2;
	}

	/** Whether what comes behind could only be for the same destination. */
	private boolean nobodyElseWaits() {
		return this.lines.values().stream().allMatch((line) -> line.transport.isOneForAll());
	}

	/** Lets nothing more in, and says what had not been begun with. */
	List<Lease> close() {
		this.lock.lock();
		try {
			this.closed = true;
			List<Lease> rest = new ArrayList<>();
			this.lines.values().forEach((line) -> {
				rest.addAll(line.leases);
				line.leases.clear();
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
		this.lock.lock();
		try {
			return this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** What waits for one destination, and how many lanes are at work with it. */
	private static final class Line {

		private final Transport transport;

		private final Route route;

		private final Queue<Lease> leases = new ArrayDeque<>();

		private int busy;

		Line(Transport transport, Route route) {
			this.transport = transport;
			this.route = route;
		}

		boolean offer(Lease lease, int most) {
			return this.leases.size() < most && this.leases.add(lease);
		}

	}

}
