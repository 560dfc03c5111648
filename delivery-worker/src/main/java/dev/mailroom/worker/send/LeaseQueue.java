package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Bounded;
import dev.mailroom.BulkShare;
import dev.mailroom.FairQueue;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Transport;
import dev.mailroom.worker.smtp.client.Transports;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Leases that this worker has taken from the topic and not yet begun to send, in one
 * queue for each destination, so that a slow destination does not delay the others.
 * Leases that exceed a rate limit wait here; those that do not fit, or whose destination
 * is closed, are rejected at once. Accounts with many leases use fewer sender threads
 * while they slow down the mail of the others.
 */
@Component
public class LeaseQueue implements Bounded {

	/**
	 * Interval at which sender threads check a destination that could not use another
	 * one.
	 */
	private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	/** Wait of a sender thread while the queue is empty; new leases end it. */
	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

	/** Time for which a destination is left out whose leases do not fit. */
	private static final Duration OVERFLOW_DELAY = Duration.ofSeconds(5);

	/**
	 * Time for which an account waits that has reached the rate limit of a destination.
	 */
	private static final Duration RATE_DELAY = Duration.ofMillis(200);

	/**
	 * Delay of leases that arrive during a shutdown, while the topic still assigns them
	 * here.
	 */
	private static final Duration CLOSED_DELAY = Duration.ofSeconds(1);

	/** Sender threads that a destination or an account may always use. */
	private static final int MIN_THREADS = 2;

	/**
	 * Percentage of the sender threads not used by other accounts that one account may
	 * use.
	 */
	private static final int MAX_ACCOUNT_PERCENT = 75;

	/** Leases of an account for one destination from which on its mail is bulk. */
	private static final int BULK = 8;

	/** Time for which the mail of an account stays bulk. */
	private static final Duration BULK_MEMORY = Duration.ofSeconds(10);

	private static final int MAX_PACES = 10_000;

	private static final Duration PACE_TTL = Duration.ofMinutes(10);

	private final Transports transports;

	private final SendSettings settings;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition work = this.lock.newCondition();

	/** By key; the one served last is at the end. */
	private final Map<String, Destination> destinations = new LinkedHashMap<>();

	/** By key of the destination. */
	private final Cache<String, HandOverPace> paces = Caffeine.newBuilder()
		.maximumSize(MAX_PACES)
		.expireAfterAccess(PACE_TTL)
		.build();

	/** Busy sender threads by account. */
	private final Map<UUID, Integer> accountThreads = new HashMap<>();

	/** Accounts whose mail is bulk. */
	private final Cache<UUID, Boolean> bulk = Caffeine.newBuilder().expireAfterWrite(BULK_MEMORY).build();

	/** Share of the sender threads that they may use. */
	private final BulkShare bulkShare;

	/** Sender threads that they use. */
	private int bulkThreads;

	private int waiting;

	/** Leases of the batches that are being sent. */
	private int begun;

	private int busyThreads;

	private volatile boolean closed;

	LeaseQueue(Transports transports, SendSettings settings) {
		this.transports = transports;
		this.settings = settings;
		this.bulkShare = new BulkShare((double) MIN_THREADS / settings.threads());
	}

	/**
	 * Adds leases without waiting.
	 * @return leases that were not added, by the reason
	 */
	Map<Rejection, List<Lease>> offer(List<Waiting> leases) {
		Map<Rejection, List<Lease>> rejected = new HashMap<>();
		this.lock.lock();
		try {
			int added = 0;
			for (Waiting lease : leases) {
				Transport.Assignment assignment = assign(lease.lease());
				Optional<Rejection> rejection = (assignment.route() != null) ? add(lease.by(assignment.route()))
						: Optional.of(new Rejection(assignment.delay(), Reach.ROW));
				rejection.ifPresent(
						(reason) -> rejected.computeIfAbsent(reason, (_) -> new ArrayList<>()).add(lease.lease()));
				added += rejection.isEmpty() ? 1 : 0;
			}
			for (int i = 0; i < Math.min(added, this.settings.threads() - this.busyThreads); i++) {
				this.work.signal();
			}
			return rejected;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds a lease if it can be taken at once: many threads are free, and no other one of
	 * its account waits for the destination.
	 */
	boolean offerIfFree(Waiting unassigned) {
		this.lock.lock();
		try {
			Transport.Assignment assignment = assign(unassigned.lease());
			if (assignment.route() == null) {
				return false;
			}
			Waiting lease = unassigned.by(assignment.route());
			Route route = lease.lease().route();
			Destination queue = this.destinations.get(key(this.transports.of(route), route));
			boolean waits = isBulk(route.accountId()) || (queue != null && queue.size(route.accountId()) > 0);
			if (waits || this.busyThreads > this.settings.threads() / 2 || add(lease).isPresent()) {
				return false;
			}
			this.work.signal();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private Transport.Assignment assign(Lease lease) {
		return this.transports.of(lease.route()).assign(lease);
	}

	/** Adds a lease with its address; the reason, if it was not added. */
	private Optional<Rejection> add(Waiting lease) {
		if (this.closed) {
			return Optional.of(new Rejection(CLOSED_DELAY, Reach.LEASE));
		}
		Route route = lease.lease().route();
		Transport transport = this.transports.of(route);
		Optional<Duration> closedFor = transport.closedFor(route);
		if (closedFor.isPresent()) {
			return closedFor.map((time) -> new Rejection(time, Reach.DESTINATION));
		}
		String key = key(transport, route);
		Destination queue = this.destinations.computeIfAbsent(key,
				(_) -> new Destination(transport, route, this.paces.get(key, (_) -> new HandOverPace())));
		if (!queue.add(lease, this.settings.threads() * this.settings.batch() / 2)) {
			return Optional.of(new Rejection(OVERFLOW_DELAY, Reach.DESTINATION));
		}
		if (queue.size(route.accountId()) > BULK) {
			this.bulk.put(route.accountId(), true);
		}
		this.waiting++;
		return Optional.empty();
	}

	private static String key(Transport transport, Route route) {
		return transport.name() + " " + transport.destination(route);
	}

	/**
	 * Takes the next batch for a sender thread; empty if none becomes available for a
	 * while.
	 */
	Optional<Batch> take() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			Optional<Batch> next = next();
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

	private Optional<Batch> next() {
		boolean bulkToo = this.bulkThreads < Math.max(MIN_THREADS, this.settings.threads() * this.bulkShare.get());
		for (Map.Entry<String, Destination> entry : this.destinations.entrySet()) {
			Destination queue = entry.getValue();
			int free = this.settings.threads() - this.busyThreads;
			if (queue.mayUseThread(MIN_THREADS, free)) {
				Optional<UUID> account = queue.nextAccount(MIN_THREADS, free,
						(id) -> mayUseThread(id, free) && (bulkToo || !isBulk(id)));
				if (account.isPresent()) {
					return begin(entry.getKey(), queue, account.get());
				}
			}
		}
		return Optional.empty();
	}

	/**
	 * Puts leases of a batch back that exceed the rate limit of their destination. Those
	 * that wait longer than a lease are dropped when they are taken next.
	 */
	void putBack(Batch batch, Collection<Lease> leases) {
		this.lock.lock();
		try {
			Destination queue = this.destinations.get(batch.destination());
			if (queue != null && !leases.isEmpty()) {
				List<Waiting> waiting = batch.waiting().stream().filter((one) -> leases.contains(one.lease())).toList();
				queue.putBack(batch.route().accountId(), waiting, RATE_DELAY);
				this.waiting += waiting.size();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isBulk(UUID account) {
		return this.bulk.getIfPresent(account) != null;
	}

	/**
	 * Records how long a batch took to pass the fence, which shows how busy the processor
	 * and the database are.
	 */
	void fenced(Batch batch, long nanos) {
		if (!batch.bulk()) {
			this.lock.lock();
			try {
				this.bulkShare.light(nanos, this.bulkThreads > 0);
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/** Leaves threads for other accounts if all destinations of one account are slow. */
	private boolean mayUseThread(UUID account, int free) {
		int threads = this.accountThreads.getOrDefault(account, 0);
		return threads < MIN_THREADS || threads < (threads + free) * MAX_ACCOUNT_PERCENT / 100;
	}

	/** Empty if all leases of the account have expired. */
	private Optional<Batch> begin(String key, Destination queue, UUID account) {
		int before = queue.size();
		List<Waiting> leases = queue.take(account, this.settings.batch());
		this.waiting -= before - queue.size();
		this.destinations.remove(key);
		if (leases.isEmpty() && queue.isUnused()) {
			return Optional.empty();
		}
		this.destinations.put(key, queue);
		if (leases.isEmpty()) {
			return Optional.empty();
		}
		queue.beginThread(account);
		boolean ofBulk = isBulk(account);
		this.busyThreads++;
		this.bulkThreads += ofBulk ? 1 : 0;
		this.begun += leases.size();
		this.accountThreads.merge(account, 1, Integer::sum);
		return Optional.of(new Batch(key, queue.transport(), leases, queue.pace(), ofBulk));
	}

	/** Frees the sender thread of a batch. */
	void done(Batch batch) {
		this.lock.lock();
		try {
			this.busyThreads--;
			this.bulkThreads -= batch.bulk() ? 1 : 0;
			this.begun -= batch.waiting().size();
			this.accountThreads.computeIfPresent(batch.route().accountId(),
					(_, threads) -> (threads > 1) ? threads - 1 : null);
			this.destinations.computeIfPresent(batch.destination(), (_, queue) -> {
				queue.endThread(batch.route().accountId());
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

	/** The present use of the sender threads, for operators. */
	public Use use() {
		this.lock.lock();
		try {
			return new Use(this.waiting, this.waiting + this.begun, this.busyThreads, this.settings.threads());
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public List<Limit> limits() {
		return List.of(new Limit("sender_threads", () -> use().busy(), this.settings.threads(), () -> use().waiting()));
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

	/**
	 * The use at one time.
	 *
	 * @param waiting mails that wait for a sender thread, or for the pace of their
	 * destination
	 * @param inHand mails that were taken from the topic and are not finished
	 * @param busy sender threads that send
	 * @param threads all sender threads
	 */
	public record Use(int waiting, int inHand, int busy, int threads) {
	}

	/**
	 * Why a lease was not added.
	 *
	 * @param delay after which it may be leased again
	 * @param reach what waits for that time
	 */
	record Rejection(Duration delay, Reach reach) {
	}

	/** Extent of a rejection. */
	enum Reach {

		/** The lease alone. */
		LEASE,
		/** All mail of the account to the destination. */
		DESTINATION,
		/** The mail, in the queue: others to the destination may be sent. */
		ROW

	}

	/**
	 * A lease that this worker holds and has not begun.
	 *
	 * @param expiry end of the lease on the clock of {@link System#nanoTime()}
	 */
	record Waiting(Lease lease, long expiry) {

		/** The same lease with another route. */
		Waiting by(Route route) {
			return route.equals(this.lease.route()) ? this : new Waiting(this.lease.by(route), this.expiry);
		}

		boolean isExpired() {
			return System.nanoTime() - this.expiry >= 0;
		}

	}

	/**
	 * Leases of one account to be handed over in one session; they pass the fence
	 * together.
	 *
	 * @param destination key of their destination
	 * @param bulk whether the account has many of them
	 */
	record Batch(String destination, Transport transport, List<Waiting> waiting, HandOverPace pace, boolean bulk) {

		List<Lease> leases() {
			return this.waiting.stream().map(Waiting::lease).toList();
		}

		/** The route of any lease: all of them share a session. */
		Route route() {
			return this.waiting.getFirst().lease().route();
		}

	}

	/**
	 * Waiting leases for one destination and the number of sender threads that it uses.
	 * Accounts take turns, so that a burst of one account does not delay the others' mail
	 * to the same destination. Guarded by the lock of the queue.
	 */
	private static final class Destination {

		/** Time within which the waiting leases of a destination should be begun. */
		private static final Duration MAX_DRAIN_TIME = Duration.ofSeconds(30);

		/**
		 * Leases for a transport with one destination; more than the window of all
		 * workers.
		 */
		private static final int MAX_LEASES = 20_000;

		/** One of so many sender threads is reserved for accounts that use few. */
		private static final int RESERVED_PART = 8;

		private final Transport transport;

		private final Route route;

		private final HandOverPace pace;

		/** By account. */
		private final FairQueue<UUID, Waiting> leases = new FairQueue<>();

		/** Busy sender threads by account. */
		private final Map<UUID, Integer> accountThreads = new HashMap<>();

		private int threads;

		/**
		 * Times until which accounts wait, on the clock of {@link System#nanoTime()}.
		 */
		private final Map<UUID, Long> paused = new HashMap<>();

		Destination(Transport transport, Route route, HandOverPace pace) {
			this.transport = transport;
			this.route = route;
			this.pace = pace;
		}

		/**
		 * Adds a lease unless the queue is full.
		 * @param minSize size up to which leases are added to the queue of any
		 * destination
		 */
		boolean add(Waiting lease, int minSize) {
			if (size() >= capacity(minSize)) {
				return false;
			}
			this.leases.add(lease.lease().route().accountId(), lease);
			return true;
		}

		/**
		 * As many leases as the destination is expected to take before they expire. If
		 * the transport has one destination only, waiting here delays no other mail.
		 */
		private long capacity(int minSize) {
			return this.transport.isOneForAll() ? MAX_LEASES
					: Math.clamp(this.pace.mails(MAX_DRAIN_TIME, Math.max(1, this.threads)), minSize, MAX_LEASES);
		}

		/**
		 * The next account in order among those that may use a thread. The last eighth of
		 * the threads is left to accounts that use few, so that their mail does not wait
		 * until a batch of another account ends.
		 */
		Optional<UUID> nextAccount(int minThreads, int freeThreads, Predicate<UUID> mayBegin) {
			int left = Math.min(this.transport.room(this.route) - this.threads, (freeThreads - this.threads + 1) / 2);
			boolean forAll = left > (this.threads + left) / RESERVED_PART;
			long now = System.nanoTime();
			return this.leases.keys()
				.filter((account) -> this.paused.isEmpty() || !isPaused(account, now))
				.filter((account) -> forAll || this.accountThreads.getOrDefault(account, 0) < minThreads)
				.filter(mayBegin)
				.findFirst();
		}

		/**
		 * Removes the next leases of an account, as many as one sender thread is expected
		 * to begin in time. Expired leases are dropped: their deliveries are leased
		 * again.
		 */
		List<Waiting> take(UUID account, int max) {
			List<Waiting> taken = new ArrayList<>();
			int count = this.pace.mails(max);
			Waiting next;
			while (taken.size() < count && (next = this.leases.poll(account)) != null) {
				if (!next.isExpired()) {
					taken.add(next);
				}
			}
			return taken;
		}

		/** Adds leases before the others of their account, which waits for a time. */
		void putBack(UUID account, List<Waiting> leases, Duration delay) {
			leases.reversed().forEach((lease) -> this.leases.addFirst(account, lease));
			this.paused.put(account, System.nanoTime() + delay.toNanos());
		}

		private boolean isPaused(UUID account, long now) {
			@Nullable Long until = this.paused.get(account);
			if (until != null && now - until >= 0) {
				this.paused.remove(account);
				return false;
			}
			return until != null;
		}

		/** Removes all leases. */
		List<Lease> clear() {
			return this.leases.removeAll().stream().map(Waiting::lease).toList();
		}

		void beginThread(UUID account) {
			this.threads++;
			this.accountThreads.merge(account, 1, Integer::sum);
		}

		void endThread(UUID account) {
			this.threads--;
			this.accountThreads.computeIfPresent(account, (_, busy) -> (busy > 1) ? busy - 1 : null);
		}

		/** Whether one more sender thread may be used besides those in use. */
		boolean mayUseThread(int minThreads, int freeThreads) {
			return size() > 0 && (this.threads < minThreads || this.threads < freeThreads)
					&& this.threads < this.transport.room(this.route);
		}

		boolean isUnused() {
			return this.threads == 0 && size() == 0;
		}

		int size() {
			return this.leases.size();
		}

		int size(UUID account) {
			return this.leases.size(account);
		}

		Transport transport() {
			return this.transport;
		}

		HandOverPace pace() {
			return this.pace;
		}

	}

	/**
	 * Recent time that a hand-over to one destination takes, as a moving average. The
	 * fence admits as many mails as a sender thread is expected to begin within a short
	 * time, because a mail behind the fence can no longer be paused or suppressed, and
	 * may be sent twice if the worker ends.
	 */
	static final class HandOverPace {

		/**
		 * Time after the fence within which a sender thread is expected to begin its
		 * mails.
		 */
		static final Duration BEGIN_TARGET = Duration.ofSeconds(2);

		/** Part of the average that one hand-over replaces. */
		private static final int WEIGHT = 4;

		private static final long UNKNOWN = 0;

		private long average = UNKNOWN;

		/**
		 * Records the duration of a hand-over, from its beginning to the server's reply.
		 */
		synchronized void record(long nanos) {
			long took = Math.max(1, nanos);
			this.average = (this.average == UNKNOWN) ? took : this.average + (took - this.average) / WEIGHT;
		}

		/**
		 * Number of mails that one sender thread is expected to begin in time; one if
		 * unknown.
		 */
		synchronized int mails(int max) {
			return (this.average == UNKNOWN) ? 1
					: (int) Math.clamp(BEGIN_TARGET.toNanos() / this.average, 1L, Math.max(1, max));
		}

		/**
		 * Number of mails that a number of sender threads is expected to hand over; 0 if
		 * unknown.
		 */
		synchronized long mails(Duration time, int threads) {
			return (this.average == UNKNOWN) ? 0 : time.toNanos() / this.average * threads;
		}

	}

}
