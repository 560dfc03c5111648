package dev.mailroom.mail.log;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/** Usage of an account and its limits: those that an operator has set, or its plan's. */
public record AccountUsage(String plan, Mails daily, Mails monthly, Held domains, Held contactBooks, Held contacts) {

	/**
	 * Mails of a day or a month of UTC.
	 *
	 * @param limit null for none
	 * @param resetsAt the beginning of the next day or month
	 */
	public record Mails(long used, @Nullable Long limit, Instant resetsAt) {

		/** Mails that may still be sent; null if there is no limit. */
		public @Nullable Long remaining() {
			return AccountUsage.remaining(this.used, this.limit);
		}

	}

	/**
	 * Stored objects.
	 *
	 * @param limit null for none
	 */
	public record Held(long used, @Nullable Long limit) {

		/** Objects that may still be added; null if there is no limit. */
		public @Nullable Long remaining() {
			return AccountUsage.remaining(this.used, this.limit);
		}

	}

	/** At least 0: the plan may have been reduced below its usage. */
	private static @Nullable Long remaining(long used, @Nullable Long limit) {
		return (limit != null) ? Long.valueOf(Math.max(0, limit - used)) : null;
	}

}
