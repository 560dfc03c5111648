package dev.mailroom.mail.outcome;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** Outcome of an attempt to hand over a mail to one recipient. */
public sealed interface Outcome {

	/** The recipient's server, or a relay configured as final, accepted the mail. */
	record Delivered(String reply) implements Outcome {
	}

	/** A relay accepted the mail; the delivery itself is not confirmed. */
	record Sent(String reply) implements Outcome {
	}

	/**
	 * The recipient was refused permanently.
	 *
	 * @param reason only one of the type {@link Bounce.Type#HARD} suppresses the address
	 */
	record Bounced(Bounce.Reason reason, String reply) implements Outcome {

		public Bounce.Type type() {
			return this.reason.type();
		}

	}

	/**
	 * The mail was refused temporarily: it is tried again later.
	 *
	 * @param retryAfter time until the next attempt; null for the schedule of retries
	 */
	record Deferred(String reply, @Nullable Duration retryAfter) implements Outcome {

		/** A deferral for the time of the schedule. */
		public Deferred(String reply) {
			this(reply, null);
		}

	}

	/**
	 * No session was available, therefore nothing of this mail was sent.
	 *
	 * @param counts whether this counts as an attempt; it does not if no connection was
	 * tried, for instance because the circuit breaker is open
	 * @param retryAfter time until the next try; null for the usual one
	 */
	record Unopened(String reply, boolean counts, @Nullable Duration retryAfter) implements Outcome {

		/** The outcome with the usual time until the next try. */
		public Unopened(String reply, boolean counts) {
			this(reply, counts, null);
		}

	}

	/**
	 * The mail was sent and no reply arrived: it may have been delivered. Only the
	 * attempt is recorded, and the delivery is recovered when its lease expires.
	 *
	 * @param attempt number of the attempt, counted from one
	 */
	record Unanswered(int attempt) implements Outcome {
	}

	/** The recipient is on the account's suppression list: the mail was not sent. */
	record Suppressed() implements Outcome {
	}

	/**
	 * The mail cannot be sent, for a reason other than its recipient: the sender is
	 * refused, or the content cannot be read or composed.
	 *
	 * @param dead whether a dead letter is recorded, from which an operator may requeue
	 * the mail once the cause is repaired
	 */
	record Failed(String reason, boolean dead) implements Outcome {

		/** A failure that a retry would not change. */
		public Failed(String reason) {
			this(reason, false);
		}

	}

}
