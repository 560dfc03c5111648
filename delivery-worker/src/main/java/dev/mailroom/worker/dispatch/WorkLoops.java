package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Loops that search the database for work, each on a virtual thread of its own. A search
 * that finds work is repeated after its interval. One that finds none waits until work is
 * notified; if a notification is lost, the work is found within {@link #IDLE_INTERVAL}.
 */
@Component
public class WorkLoops implements SmartLifecycle {

	/** Time between two searches while none finds work and none is notified. */
	public static final Duration IDLE_INTERVAL = Duration.ofSeconds(30);

	/** Least time between two searches after one that failed. */
	private static final Duration ERROR_INTERVAL = Duration.ofSeconds(2);

	/** Time in which searches in progress may end before they are interrupted. */
	private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(1);

	private static final Logger log = LoggerFactory.getLogger(WorkLoops.class);

	private final LoopHealth health;

	private final Duration idleInterval;

	private final List<Loop> loops = new CopyOnWriteArrayList<>();

	private final List<Loop> stops = new CopyOnWriteArrayList<>();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private volatile CountDownLatch stop = new CountDownLatch(1);

	@Autowired
	WorkLoops(LoopHealth health) {
		this(health, IDLE_INTERVAL);
	}

	/**
	 * Creates the loops.
	 * @param idleInterval time between two searches without work
	 */
	WorkLoops(LoopHealth health, Duration idleInterval) {
		this.health = health;
		this.idleInterval = idleInterval;
	}

	/**
	 * Adds a loop, before the start of the app ends.
	 * @param interval time between two searches while there is work, and the least time
	 * between any two
	 * @param search returns whether there is work, or may be some; an exception counts as
	 * such and delays the next search
	 */
	public void add(String name, Duration interval, BooleanSupplier search) {
		this.loops.add(new Loop(name, interval, search, new Semaphore(0)));
	}

	/** Adds a loop, as {@link #add}, that is started by stops of mail and not by work. */
	public void addForStops(String name, Duration interval, BooleanSupplier search) {
		this.stops.add(new Loop(name, interval, search, new Semaphore(0)));
	}

	/** Starts all searches for work that wait, each if its interval is over. */
	public void wake() {
		this.loops.forEach((loop) -> loop.wakeUps().release());
	}

	/** Starts the searches for stops, as {@link #wake}. */
	void wakeForStops() {
		this.stops.forEach((loop) -> loop.wakeUps().release());
	}

	private void run(Loop loop, CountDownLatch stop) {
		try {
			while (stop.getCount() > 0) {
				// Work that is notified from here on may be missed by this search.
				loop.wakeUps().drainPermits();
				boolean found = search(loop, stop);
				if (!wait(stop, loop.interval()) && !found) {
					boolean _ = loop.wakeUps().tryAcquire(this.idleInterval.toMillis(), TimeUnit.MILLISECONDS);
				}
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		catch (Throwable error) {
			this.health.ended(loop.name(), error);
		}
	}

	private static boolean search(Loop loop, CountDownLatch stop) throws InterruptedException {
		try {
			return loop.search().getAsBoolean();
		}
		catch (RuntimeException ex) {
			if (stop.getCount() > 0) {
				log.warn("A search for work failed and is repeated ({}): {}", loop.name(), ex.toString());
			}
			wait(stop, ERROR_INTERVAL);
			return true;
		}
	}

	/** Returns early, and true, if the loops stop. */
	private static boolean wait(CountDownLatch stop, Duration time) throws InterruptedException {
		return stop.await(time.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void start() {
		CountDownLatch stop = new CountDownLatch(1);
		this.stop = stop;
		Stream.concat(this.loops.stream(), this.stops.stream())
			.forEach((loop) -> this.threads
				.add(Thread.ofVirtual().name("loop: " + loop.name()).start(() -> run(loop, stop))));
	}

	/**
	 * Ends the waits, and interrupts searches that do not end soon, which closes the
	 * connections of their statements.
	 */
	@Override
	public void stop() {
		this.stop.countDown();
		wake();
		wakeForStops();
		long deadline = System.nanoTime() + SHUTDOWN_TIMEOUT.toNanos();
		try {
			for (Thread thread : this.threads) {
				thread.join(Duration.ofNanos(deadline - System.nanoTime()));
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		this.threads.forEach(Thread::interrupt);
		this.threads.clear();
	}

	@Override
	public boolean isRunning() {
		return !this.threads.isEmpty();
	}

	/** Starts after the senders and stops before them. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

	/**
	 * A loop.
	 *
	 * @param wakeUps has a permit if work was notified since the last search began
	 */
	private record Loop(String name, Duration interval, BooleanSupplier search, Semaphore wakeUps) {
	}

}
