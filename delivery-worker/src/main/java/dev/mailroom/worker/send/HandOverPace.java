package dev.mailroom.worker.send;

import java.time.Duration;

/**
 * Recent time that a hand-over to one destination takes, as a moving average. The fence
 * admits as many mails as a sender thread is expected to begin within a short time,
 * because a mail behind the fence can no longer be paused or suppressed, and may be sent
 * twice if the worker ends.
 */
final class HandOverPace {

	/**
	 * Time after the fence within which a sender thread is expected to begin its mails.
	 */
	static final Duration BEGIN_TARGET = Duration.ofSeconds(2);

	/** Part of the average that one hand-over replaces. */
	private static final int WEIGHT = 4;

	private static final long UNKNOWN = 0;

	private long average = UNKNOWN;

	/** Records the duration of a hand-over, from its beginning to the server's reply. */
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
	synchronized long mails(Duration time, int lanes) {
		return (this.average == UNKNOWN) ? 0 : time.toNanos() / this.average * lanes;
	}

}
