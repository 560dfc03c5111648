package dev.mailroom.system;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what will be, and not for time to pass. */
public final class Poll {

	private static final Duration EVERY = Duration.ofMillis(50);

	private Poll() {
	}

	/** Returns once the condition holds; fails where it never does. */
	public static void until(Duration patience, Callable<Boolean> condition) throws Exception {
		until(patience, EVERY, condition);
	}

	/** As {@link #until(Duration, Callable)}, for what costs something to ask. */
	public static void until(Duration patience, Duration every, Callable<Boolean> condition) throws Exception {
		long deadline = System.nanoTime() + patience.toNanos();
		while (!condition.call()) {
			if (System.nanoTime() > deadline) {
				throw new AssertionError("It has not come true in " + patience);
			}
			LockSupport.parkNanos(every.toNanos());
		}
	}

}
