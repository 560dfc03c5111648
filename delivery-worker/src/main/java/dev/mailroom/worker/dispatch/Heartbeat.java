package dev.mailroom.worker.dispatch;

import java.util.concurrent.atomic.AtomicLong;

/** Signs of progress of one loop. An idle loop needs none. */
public final class Heartbeat {

	private static final long IDLE = 0;

	private final long maxSilence;

	/** On the clock of {@link System#nanoTime()}; zero while idle. */
	private final AtomicLong last = new AtomicLong(IDLE);

	Heartbeat(long maxSilence) {
		this.maxSilence = maxSilence;
	}

	/** Records progress; the next beat is due within the permitted silence. */
	public void beat() {
		this.last.set(System.nanoTime() | 1);
	}

	/** Records that the loop waits for an event that need not occur. */
	public void idle() {
		this.last.set(IDLE);
	}

	boolean isOverdue() {
		long beat = this.last.get();
		return beat != IDLE && System.nanoTime() - beat > this.maxSilence;
	}

}
