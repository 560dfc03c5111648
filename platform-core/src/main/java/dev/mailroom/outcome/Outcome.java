package dev.mailroom.outcome;

/** All that can come of trying to hand a mail over. */
public sealed interface Outcome {

	/** The recipient's own server took it, or a relay whose word is final. */
	record Delivered(String reply) implements Outcome {
	}

	/** A relay took it over; what becomes of it is not known yet. */
	record Sent(String reply) implements Outcome {
	}

	/**
	 * Refused for good.
	 *
	 * @param type what is at fault: only where it is the address, that is not written to
	 * again
	 */
	record Bounced(Bounce.Type type, String reply) implements Outcome {

		/** For who only knows whether the address itself is at fault. */
		public Bounced(boolean hard, String reply) {
			this(hard ? Bounce.Type.HARD : Bounce.Type.SOFT, reply);
		}

		/** Whether the address itself is at fault. */
		public boolean hard() {
			return this.type == Bounce.Type.HARD;
		}

	}

	/** Refused for now: tried again later. */
	record Deferred(String reply) implements Outcome {
	}

	/**
	 * No session could be opened: nothing was tried with this mail.
	 *
	 * @param counts whether it counts as an attempt; not where the breaker was open
	 */
	record Unopened(String reply, boolean counts) implements Outcome {
	}

	/**
	 * The last byte left and no answer came: the mail may have arrived. Nothing is
	 * settled, for its lease runs out; only the attempt is kept.
	 *
	 * @param attempt which one it was, counted from one
	 */
	record Unanswered(int attempt) implements Outcome {
	}

	/** The recipient is on the account's suppression list: never handed over. */
	record Suppressed() implements Outcome {
	}

	/**
	 * Ours, and no fault of the recipient: it is not taken from this sender, or cannot be
	 * read or put into words that mail may carry.
	 *
	 * @param dead whether it is kept as a dead letter: what failed may be mended, and the
	 * mail tried once more
	 */
	record Failed(String reason, boolean dead) implements Outcome {

		/** One that trying again would not help. */
		public Failed(String reason) {
			this(reason, false);
		}

	}

}
