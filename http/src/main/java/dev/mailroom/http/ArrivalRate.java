package dev.mailroom.http;

import java.time.Duration;

import io.netty.handler.timeout.ReadTimeoutException;

/**
 * The rate at which the body of one request arrives. A body that arrives slower than 16
 * KB/s after an initial time is given up, because it occupies memory.
 */
public final class ArrivalRate {

	private static final long MIN_BYTES_PER_SECOND = 16_000;

	private static final long NANOS = Duration.ofSeconds(1).toNanos();

	private final long begin;

	private final long initialNanos;

	private long bytes;

	private ArrivalRate(long begin, long initialNanos) {
		this.begin = begin;
		this.initialNanos = initialNanos;
	}

	/**
	 * Begins a measurement.
	 * @param initial time in which nothing has to arrive
	 */
	public static ArrivalRate from(Duration initial) {
		return new ArrivalRate(System.nanoTime(), initial.toNanos());
	}

	/**
	 * Counts bytes that have arrived.
	 * @throws ReadTimeoutException if the body arrives too slowly
	 */
	public void count(int arrived) {
		this.bytes += arrived;
		if (System.nanoTime() - this.begin > this.initialNanos + this.bytes * NANOS / MIN_BYTES_PER_SECOND) {
			throw ReadTimeoutException.INSTANCE;
		}
	}

}
