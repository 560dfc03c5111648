package dev.mailroom.mail.accept;

import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Mails that an account has used in the current day and month, including the current
 * reservations, and its limits: those that an operator has set, or those of its plan; a
 * null limit is none.
 *
 * @param warned periods whose {@code quota.warning} was recorded
 * @param reached periods whose {@code quota.reached} was recorded
 */
record Usage(UUID accountId, long day, long month, @Nullable Long dailyLimit, @Nullable Long monthlyLimit,
		Set<String> warned, Set<String> reached) {

	/**
	 * Mails left without the current reservations.
	 * @param requested mails of the current reservations
	 */
	long left(long requested) {
		return Math.min(left(this.dailyLimit, this.day, requested), left(this.monthlyLimit, this.month, requested));
	}

	/** Whether the daily limit is the smaller one. */
	boolean isDailyLimit(long requested) {
		return left(this.dailyLimit, this.day, requested) <= left(this.monthlyLimit, this.month, requested);
	}

	private static long left(@Nullable Long limit, long used, long requested) {
		return (limit != null) ? Math.max(0, limit - (used - requested)) : Long.MAX_VALUE;
	}

}
