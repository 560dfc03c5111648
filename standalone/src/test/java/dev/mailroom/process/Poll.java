package dev.mailroom.process;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Polling for a condition with a deadline. */
public final class Poll {

	private static final Duration INTERVAL = Duration.ofMillis(50);

	private Poll() {
	}

	/** Polls until the condition holds; fails after the timeout. */
	public static void until(Duration timeout, Callable<Boolean> condition) throws Exception {
		until(timeout, INTERVAL, condition);
	}

	/** Polls with an interval, for conditions that are expensive to check. */
	public static void until(Duration timeout, Duration interval, Callable<Boolean> condition) throws Exception {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (!condition.call()) {
			if (System.nanoTime() > deadline) {
				throw new AssertionError("The condition does not hold after " + timeout);
			}
			LockSupport.parkNanos(interval.toNanos());
		}
	}

}
