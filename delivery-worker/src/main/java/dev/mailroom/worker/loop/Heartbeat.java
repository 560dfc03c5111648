package dev.mailroom.worker.loop;

import java.util.concurrent.atomic.AtomicLong;

/** Signs of progress of one loop. A loop at rest needs none. */
public final class Heartbeat {

	private static final long AT_REST = 0;

	private final long maxSilence;

	/** On the clock of {@link System#nanoTime()}; zero at rest. */
	private final AtomicLong last = new AtomicLong(AT_REST);

	Heartbeat(long maxSilence) {
		this.maxSilence = maxSilence;
	}

	/** Records progress; the next beat is due within the permitted silence. */
	public void beat() {
		this.last.set(System.nanoTime() | 1);
	}

	/** Records that the loop waits for an event that need not occur. */
	public void rest() {
		this.last.set(AT_REST);
	}

	boolean isOverdue() {
		long beat = this.last.get();
		return beat != AT_REST && System.nanoTime() - beat > this.maxSilence;
	}

}
