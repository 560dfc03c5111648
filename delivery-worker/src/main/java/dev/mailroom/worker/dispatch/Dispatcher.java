package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.mailroom.Bounded;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.mail.queue.Window;
import dev.mailroom.worker.smtp.client.Transports;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Leases due deliveries and publishes them to the topic, on a thread of its own. One
 * dispatcher of all workers is active; the others stand by. It only reads the queue, and
 * remembers in its window what it has published. It is woken by notifications and polls
 * as well. After errors of the database or the broker it continues.
 */
@Component
public class Dispatcher implements Bounded, SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

	/** Factor by which polls are more frequent while there is work. */
	private static final int BUSY_FACTOR = 10;

	/**
	 * Delay after a pass that leased several deliveries, so that those that become due
	 * meanwhile are leased together.
	 */
	private static final Duration MIN_DELAY = Duration.ofMillis(5);

	/** Passes without a lease after which the delay no longer grows. */
	private static final int MAX_DOUBLINGS = 5;

	/** The same while ready mail waits, for example for room. */
	private static final int MAX_DOUBLINGS_READY = 3;

	/** The same while the queue has no rows: new ones are notified. */
	private static final int MAX_DOUBLINGS_EMPTY = 7;

	/** Interval at which a dispatcher that is not active checks the topic. */
	private static final Duration STANDBY_INTERVAL = Duration.ofSeconds(5);

	/** Interval of the search for hand-overs under earlier dispatchers. */
	private static final Duration CLAIMED_INTERVAL = Duration.ofMinutes(15);

	/**
	 * Time for which a destination must have taken little mail before overdue mail to it
	 * fails.
	 */
	private static final Duration OVERDUE_AFTER = Duration.ofHours(1);

	private static final Duration OVERDUE_INTERVAL = Duration.ofMinutes(1);

	/** Overdue deliveries that fail at a time. */
	private static final int MAX_OVERDUE = 500;

	private static final Duration MIN_ERROR_DELAY = Duration.ofMillis(500);

	private static final Duration MAX_ERROR_DELAY = Duration.ofSeconds(5);

	/** Time in which a pass in progress may end before it is interrupted. */
	private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(1);

	/** Exceeds the timeouts of a pass with those of a restart. */
	private static final Duration MAX_SILENCE = Duration.ofMinutes(3);

	private final DispatcherLock lock;

	private final Queue queue;

	private final Outcomes outcomes;

	private final DeliveryTopic topic;

	private final Transports transports;

	private final HoldWatch holds;

	private final DispatchSettings settings;

	private final LoopHealth health;

	/** Passes over the queue; idle while this dispatcher is not active. */
	private final LoopHealth.Heartbeat passes;

	private final Window window;

	/** Deliveries settled in this process. */
	private final ConcurrentLinkedQueue<List<UUID>> ended = new ConcurrentLinkedQueue<>();

	/** Deliveries that were announced at their acceptance. */
	private final ConcurrentLinkedQueue<Lease> announced = new ConcurrentLinkedQueue<>();

	/** Messages of workers that do not take deliveries. */
	private final ConcurrentLinkedQueue<Queue.NotTaken> notTaken = new ConcurrentLinkedQueue<>();

	private final Semaphore wake = new Semaphore(0);

	/** Whether the next pass reads the queue, although its time has not come. */
	private volatile boolean look = true;

	/** Deliveries settled in this process since the newest turn. */
	private final AtomicInteger freed = new AtomicInteger();

	/** Incremented each time the lock is acquired. */
	private final AtomicInteger terms = new AtomicInteger();

	/** Takes a lease in this process, if sender threads are free. */
	private volatile Predicate<Lease> own = (_) -> false;

	private volatile boolean active;

	private volatile Queue.Turn newest = Queue.Turn.NONE;

	private @Nullable Thread thread;

	private volatile boolean stopped = true;

	// Used by the thread only.

	/** Time of the next pass that reads the queue. */
	private long nextLook = System.nanoTime();

	/** Consecutive passes that leased nothing. */
	private int idlePasses;

	private int term;

	/**
	 * End of the part that was searched last for earlier hand-overs; null if all were.
	 */
	private @Nullable UUID searched;

	private long nextSearch;

	private long nextOverdue;

	Dispatcher(DispatcherLock lock, Queue queue, Outcomes outcomes, DeliveryTopic topic, Transports transports,
			HoldWatch holds, DispatchSettings settings, LoopHealth health) {
		this.lock = lock;
		this.queue = queue;
		this.outcomes = outcomes;
		this.topic = topic;
		this.transports = transports;
		this.holds = holds;
		this.settings = settings;
		this.health = health;
		this.passes = health.watch("dispatcher", MAX_SILENCE);
		this.window = queue.window(settings.window(), settings.share());
	}

	/** Whether this dispatcher holds the lock. */
	public boolean isActive() {
		return this.active;
	}

	@Override
	public List<Limit> limits() {
		return List
			.of(new Limit("window_deliveries", () -> this.active ? this.window.used() : 0, this.settings.window()));
	}

	/**
	 * Sets how a lone delivery is taken by the sender threads of this process, which is
	 * faster than the topic; false if it must go by the topic.
	 */
	public void takeLone(Predicate<Lease> own) {
		this.own = (lease) -> this.topic.isOwn(lease) && own.test(lease);
	}

	/** Starts a pass when enough deliveries are settled and others wait for room. */
	@EventListener
	void ended(Outcomes.Ended ended) {
		if (this.active) {
			this.ended.add(ended.deliveries());
			if (this.freed.addAndGet(ended.deliveries().size()) >= this.settings.refill() && this.newest.ready()) {
				look();
			}
		}
	}

	/** Starts a pass that reads the queue. */
	private void look() {
		this.look = true;
		this.wake.release();
	}

	private void run() {
		Duration errorDelay = MIN_ERROR_DELAY;
		while (!this.stopped) {
			try {
				Duration delay = this.active ? pass() : standBy();
				errorDelay = MIN_ERROR_DELAY;
				if (this.wake.tryAcquire(delay.toMillis(), TimeUnit.MILLISECONDS)) {
					this.wake.drainPermits();
				}
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
				return;
			}
			catch (RuntimeException ex) {
				if (!this.stopped) {
					log.warn("A pass of the dispatcher failed and is repeated: {}", ex.toString());
					this.look = true;
					this.passes.beat();
					errorDelay = pause(errorDelay);
				}
			}
			catch (Throwable error) {
				this.health.ended("dispatcher", error);
				return;
			}
		}
	}

	/** Waits after an error; the next delay. */
	private Duration pause(Duration delay) {
		try {
			Thread.sleep(delay);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		Duration next = delay.multipliedBy(2);
		return (next.compareTo(MAX_ERROR_DELAY) < 0) ? next : MAX_ERROR_DELAY;
	}

	private Duration standBy() {
		this.newest = Queue.Turn.NONE;
		this.passes.idle();
		this.topic.tryCheck();
		return STANDBY_INTERVAL;
	}

	/**
	 * Leases what was announced. Reads the queue if that does not suffice or it is time,
	 * and leases and publishes until nothing is due or there is no more room.
	 * @return the delay until the next pass, unless this one is woken
	 */
	private Duration pass() throws InterruptedException {
		this.passes.beat();
		if (this.term != this.terms.get()) {
			this.term = this.terms.get();
			this.window.clear();
			this.announced.clear();
			this.searched = Window.START;
		}
		for (Queue.NotTaken message = this.notTaken.poll(); message != null; message = this.notTaken.poll()) {
			this.window.returned(message.deliveries(), message.delay(), message.closed());
		}
		boolean all = takeAnnounced();
		Duration left = Duration.ofNanos(this.nextLook - System.nanoTime());
		if (all && !this.look && left.isPositive()) {
			return left;
		}
		this.look = false;
		int leased = 0;
		Queue.Turn turn;
		do {
			this.freed.set(0);
			removeEnded();
			turn = this.queue.next(this.window);
			this.newest = turn;
			publish(turn.leases());
			leased += turn.leases().size();
		}
		while (turn.again() && !this.stopped);
		upkeep();
		if (leased > 1) {
			Thread.sleep(MIN_DELAY);
		}
		Duration delay = nextPoll(leased > 0 || turn.full());
		this.nextLook = System.nanoTime() + delay.toNanos();
		return delay;
	}

	/**
	 * Passes announced deliveries to the sender threads of this process.
	 * @return whether all were taken; the others are read from the queue
	 */
	private boolean takeAnnounced() {
		removeEnded();
		boolean all = true;
		for (Lease lease = this.announced.poll(); lease != null; lease = this.announced.poll()) {
			all &= !this.holds.isHeld(lease.route()) && this.transports.closedFor(lease.route()).isEmpty()
					&& this.queue.offer(lease, this.window, this.own);
			if (this.newest.empty()) {
				// The queue has a row now, which may have to wait for a retry.
				this.newest = Queue.Turn.NONE;
				this.nextLook = Math.min(this.nextLook, System.nanoTime() + nextPoll(false).toNanos());
			}
		}
		return all;
	}

	private void removeEnded() {
		for (List<UUID> deliveries = this.ended.poll(); deliveries != null; deliveries = this.ended.poll()) {
			this.window.ended(deliveries);
		}
	}

	/**
	 * The delay until the next poll, which doubles with each pass that leases nothing. It
	 * bounds the lateness of scheduled and retried mail: 1.6 s with the default interval.
	 */
	private Duration nextPoll(boolean busy) {
		int doublings = this.newest.empty() ? MAX_DOUBLINGS_EMPTY
				: (this.newest.ready() || this.searched != null) ? MAX_DOUBLINGS_READY : MAX_DOUBLINGS;
		this.idlePasses = busy ? 0 : Math.min(this.idlePasses + 1, doublings);
		return this.settings.poll().dividedBy(BUSY_FACTOR).multipliedBy(1L << this.idlePasses);
	}

	/**
	 * Publishes leases, except those for destinations that an operator holds, or that
	 * this worker does not contact for a while. The only one of its account is taken by
	 * this process if sender threads are free and it is for this group of workers.
	 */
	private void publish(List<Lease> leases) {
		List<Lease> open = new ArrayList<>();
		List<Lease> held = new ArrayList<>();
		for (Lease lease : leases) {
			if (this.holds.isHeld(lease.route())) {
				held.add(lease);
				continue;
			}
			if (!this.topic.isOwn(lease)) {
				open.add(lease);
				continue;
			}
			this.transports.closedFor(lease.route()).ifPresentOrElse((time) -> {
				this.window.close(lease.route(), time);
				this.window.remove(List.of(lease));
			}, () -> open.add(lease));
		}
		this.window.remove(held);
		this.queue.hold(held);
		Map<UUID, Long> counts = open.stream()
			.collect(Collectors.groupingBy((lease) -> lease.route().accountId(), Collectors.counting()));
		open.removeIf((lease) -> counts.getOrDefault(lease.route().accountId(), 0L) == 1 && this.own.test(lease));
		if (!open.isEmpty()) {
			try {
				this.topic.publish(open, this.holds.databaseTime());
			}
			catch (RuntimeException ex) {
				this.window.remove(open);
				throw ex;
			}
		}
	}

	/**
	 * Finds hand-overs of earlier dispatchers, and fails overdue mail, when it is time.
	 */
	private void upkeep() {
		long now = System.nanoTime();
		if (this.searched == null && now - this.nextSearch >= 0) {
			this.searched = Window.START;
		}
		if (this.searched != null) {
			this.searched = this.queue.findClaimed(this.window, this.searched);
			this.nextSearch = now + CLAIMED_INTERVAL.toNanos();
		}
		if (now - this.nextOverdue >= 0) {
			this.nextOverdue = now + OVERDUE_INTERVAL.toNanos();
			for (Route route : this.window.slowFor(OVERDUE_AFTER)) {
				long failed = this.outcomes.failOverdue(route.accountId(), route.domain(), MAX_OVERDUE);
				if (failed > 0) {
					log.info("{} overdue deliveries to {} have expired", failed, route.domain());
				}
			}
		}
	}

	@Override
	public void start() {
		this.stopped = false;
		long now = System.nanoTime();
		this.nextSearch = now;
		this.nextOverdue = now + OVERDUE_INTERVAL.toNanos();
		this.lock.start(new DispatcherLock.Listener() {

			@Override
			public void acquired() {
				Dispatcher.this.terms.incrementAndGet();
				Dispatcher.this.active = true;
				look();
			}

			@Override
			public void lost() {
				Dispatcher.this.active = false;
			}

			@Override
			public void due(Queue.Due due) {
				if (due.leases().isEmpty()) {
					look();
				}
				else {
					Dispatcher.this.announced.addAll(due.leases());
					Dispatcher.this.wake.release();
				}
			}

			@Override
			public void notTaken(Queue.NotTaken message) {
				Dispatcher.this.notTaken.add(message);
				look();
			}

		});
		this.holds.onResume(this::look);
		this.thread = Thread.ofVirtual().name("dispatcher").start(this::run);
	}

	@Override
	public void stop() {
		this.stopped = true;
		this.wake.release();
		this.lock.stop();
		@Nullable Thread running = this.thread;
		if (running != null) {
			try {
				running.join(SHUTDOWN_TIMEOUT);
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
			}
			running.interrupt();
			this.thread = null;
		}
		this.active = false;
		this.passes.idle();
		this.topic.close();
	}

	@Override
	public boolean isRunning() {
		return !this.stopped;
	}

	/** Starts after the senders and stops before them. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

}
