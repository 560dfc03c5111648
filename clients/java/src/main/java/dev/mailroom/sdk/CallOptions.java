package dev.mailroom.sdk;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Options of calls.
 *
 * @param attemptTimeout limit on one attempt; one second is added for each megabyte
 * @param timeout limit on the call with all attempts
 * @param retries the number of attempts after the first one
 * @param idempotencyKey makes it safe to repeat one call, also from another process; null
 * for a new one in each call
 */
public record CallOptions(Duration attemptTimeout, Duration timeout, int retries, @Nullable String idempotencyKey) {

	/** 30 s for an attempt, 90 s for a call, 2 retries. */
	public static final CallOptions DEFAULT = new CallOptions(Duration.ofSeconds(30), Duration.ofSeconds(90), 2, null);

	/** Replaces the limit on one attempt. */
	public CallOptions withAttemptTimeout(Duration attemptTimeout) {
		return new CallOptions(attemptTimeout, this.timeout, this.retries, this.idempotencyKey);
	}

	/** Replaces the limit on the call with all attempts. */
	public CallOptions withTimeout(Duration timeout) {
		return new CallOptions(this.attemptTimeout, timeout, this.retries, this.idempotencyKey);
	}

	/** Replaces the number of attempts after the first one. */
	public CallOptions withRetries(int retries) {
		return new CallOptions(this.attemptTimeout, this.timeout, retries, this.idempotencyKey);
	}

	/** Replaces the key of the next call. */
	public CallOptions withIdempotencyKey(String idempotencyKey) {
		return new CallOptions(this.attemptTimeout, this.timeout, this.retries, idempotencyKey);
	}

}
