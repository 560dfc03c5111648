package dev.mailroom.quota;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What an account has used, what was just asked for included, and what its plan allows; a
 * null limit is none.
 */
record Usage(UUID accountId, long day, long month, @Nullable Long dailyLimit, @Nullable Long monthlyLimit) {

	/** How many may still be sent, had nothing been asked for. */
	long left(long asked) {
		return Math.min(left(this.dailyLimit, this.day, asked), left(this.monthlyLimit, this.month, asked));
	}

	/** Whether it is the day's limit that binds: the month still has more to give. */
	boolean dayBinds(long asked) {
		return left(this.dailyLimit, this.day, asked) <= left(this.monthlyLimit, this.month, asked);
	}

	private static long left(@Nullable Long limit, long used, long asked) {
		return (limit != null) ? Math.max(0, limit - (used - asked)) : Long.MAX_VALUE;
	}

}
