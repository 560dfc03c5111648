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
	 * @param hard whether the address itself is at fault, so that it is not written to
	 * again
	 */
	record Bounced(boolean hard, String reply) implements Outcome {
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

	/** The recipient is on the account's suppression list: never handed over. */
	record Suppressed() implements Outcome {
	}

	/**
	 * Ours, and no fault of the recipient: it cannot be put into words that mail may
	 * carry, or is not taken from this sender.
	 */
	record Failed(String reason) implements Outcome {
	}

}
