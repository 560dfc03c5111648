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
 * What runs, in the order in which it was started; it stops the other way round. A stop
 * that comes during the start waits a little for the step under way, then stops what is
 * there: no child may be left behind.
 */
final class Parts {

	private static final Logger log = LoggerFactory.getLogger(Parts.class);

	private static final Duration FOREVER = Duration.ofDays(1);

	/** What each group of parts has to stop, however late it is. */
	private static final Duration LEAST = Duration.ofSeconds(1);

	private final Deque<List<Part>> running = new ConcurrentLinkedDeque<>();

	private final ReentrantLock step = new ReentrantLock();

	private final Duration stepPatience;

	private final Duration patience;

	private volatile boolean stopping;

	/**
	 * Makes an empty list of parts.
	 * @param stepPatience how long a stop waits for the step of the start that is under
	 * way
	 * @param patience how long the parts have to stop
	 */
	Parts(Duration stepPatience, Duration patience) {
		this.stepPatience = stepPatience;
		this.patience = patience;
	}

	/**
	 * Starts parts side by side and returns once all of them can be used.
	 * @throws Stopping where a stop has come first
	 */
	void start(Part... together) throws Exception {
		this.step.lock();
		try {
			if (this.stopping) {
				throw new Stopping();
			}
			this.running.push(List.of(together));
			each(List.of(together), Part::start, FOREVER);
		}
		finally {
			this.step.unlock();
		}
	}

	/**
	 * Stops everything, the youngest first. Who takes too long is left behind for the end
	 * of the process, so that the servers below still get their turn.
	 */
	void stop() {
		this.stopping = true;
		boolean quiet = awaitStep();
		long deadline = System.nanoTime() + this.patience.toNanos();
		while (!this.running.isEmpty()) {
			long left = Math.max(deadline - System.nanoTime(), LEAST.toNanos());
			try {
				each(this.running.pop(), Part::close, Duration.ofNanos(left));
			}
			catch (Exception ex) {
				log.warn("A part did not stop as it should", ex);
			}
		}
		if (quiet) {
			this.step.unlock();
		}
	}

	boolean stopping() {
		return this.stopping;
	}

	private boolean awaitStep() {
		try {
			return this.step.tryLock(this.stepPatience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private static void each(List<Part> parts, Act act, Duration limit) throws Exception {
		ExecutorService threads = Executors
			.newCachedThreadPool(Thread.ofPlatform().daemon().name("part-", 1).factory());
		try {
			List<Callable<Void>> acts = parts.stream().<Callable<Void>>map((part) -> () -> {
				act.on(part);
				return null;
			}).toList();
			for (Future<Void> done : threads.invokeAll(acts, limit.toMillis(), TimeUnit.MILLISECONDS)) {
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

	private interface Act {

		void on(Part part) throws Exception;

	}

	/** A stop came while Mailroom was starting: nothing more is started. */
	static final class Stopping extends Exception {

		private static final long serialVersionUID = 1L;

	}

}
