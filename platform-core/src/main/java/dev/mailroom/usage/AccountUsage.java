package dev.mailroom.usage;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/** What an account has used of what its plan allows. */
public record AccountUsage(String plan, Mails daily, Mails monthly, Held domains, Held contactBooks, Held contacts) {

	/**
	 * Mails of a day or a month of UTC.
	 *
	 * @param limit null for none
	 * @param resetsAt when the next day or month begins
	 */
	public record Mails(long used, @Nullable Long limit, Instant resetsAt) {

		/** How many may still be sent; null for any number. */
		public @Nullable Long remaining() {
			return AccountUsage.remaining(this.used, this.limit);
		}

	}

	/**
	 * Things that are kept.
	 *
	 * @param limit null for none
	 */
	public record Held(long used, @Nullable Long limit) {

		/** How many may still be added; null for any number. */
		public @Nullable Long remaining() {
			return AccountUsage.remaining(this.used, this.limit);
		}

	}

	/** Never below nothing: a plan can be made smaller than what is in use. */
	private static @Nullable Long remaining(long used, @Nullable Long limit) {
		return (limit != null) ? Long.valueOf(Math.max(0, limit - used)) : null;
	}

}
