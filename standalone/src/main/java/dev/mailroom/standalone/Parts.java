package dev.mailroom.standalone;

import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running parts, stopped in reverse order of their start. A stop during the start
 * waits for the current step up to a timeout and then stops all parts started so far, so
 * that no child process is left behind.
 */
final class Parts {

	private static final Logger log = LoggerFactory.getLogger(Parts.class);

	private static final Duration START_TIMEOUT = Duration.ofDays(1);

	/** Granted to each group of parts even after the deadline of the stop has passed. */
	private static final Duration MIN_STOP_TIMEOUT = Duration.ofSeconds(1);

	private final Deque<List<Part>> running = new ConcurrentLinkedDeque<>();

	private final ReentrantLock step = new ReentrantLock();

	private final Duration stepTimeout;

	private final Duration stopTimeout;

	private volatile boolean stopping;

	/**
	 * Creates an empty list of parts.
	 * @param stepTimeout the time that a stop waits for the current step of the start
	 * @param stopTimeout the time that all parts together have to stop
	 */
	Parts(Duration stepTimeout, Duration stopTimeout) {
		this.stepTimeout = stepTimeout;
		this.stopTimeout = stopTimeout;
	}

	/**
	 * Starts parts concurrently and returns once all of them can be used.
	 * @throws Stopping if a stop was requested before
	 */
	void start(Part... group) throws Exception {
		this.step.lock();
		try {
			if (this.stopping) {
				throw new Stopping();
			}
			this.running.push(List.of(group));
			forEach(List.of(group), Part::start, START_TIMEOUT);
		}
		finally {
			this.step.unlock();
		}
	}

	/**
	 * Stops all parts, the last started first. A part that exceeds its time is abandoned
	 * until the process exits. The servers started before it can still be stopped.
	 */
	void stop() {
		this.stopping = true;
		boolean stepFinished = awaitStep();
		long deadline = System.nanoTime() + this.stopTimeout.toNanos();
		while (!this.running.isEmpty()) {
			long remaining = Math.max(deadline - System.nanoTime(), MIN_STOP_TIMEOUT.toNanos());
			try {
				forEach(this.running.pop(), Part::close, Duration.ofNanos(remaining));
			}
			catch (Exception ex) {
				log.warn("A part did not stop cleanly", ex);
			}
		}
		if (stepFinished) {
			this.step.unlock();
		}
	}

	boolean stopping() {
		return this.stopping;
	}

	private boolean awaitStep() {
		try {
			return this.step.tryLock(this.stepTimeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private static void forEach(List<Part> parts, Action action, Duration timeout) throws Exception {
		ExecutorService threads = Executors
			.newCachedThreadPool(Thread.ofPlatform().daemon().name("part-", 1).factory());
		try {
			List<Callable<Void>> tasks = parts.stream().<Callable<Void>>map((part) -> () -> {
				action.run(part);
				return null;
			}).toList();
			for (Future<Void> done : threads.invokeAll(tasks, timeout.toMillis(), TimeUnit.MILLISECONDS)) {
				done.get();
			}
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof Exception cause) ? cause : ex;
		}
		finally {
			threads.shutdown();
		}
	}

	private interface Action {

		void run(Part part) throws Exception;

	}

	/** Thrown if a stop was requested during the start: no further part is started. */
	static final class Stopping extends Exception {

		private static final long serialVersionUID = 1L;

	}

}
