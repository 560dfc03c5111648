package dev.mailroom.outcome;

import org.jspecify.annotations.Nullable;

/** An outcome, in the words of the settling statement. */
final class OutcomeColumns {

	private OutcomeColumns() {
	}

	static String word(Outcome outcome) {
		return switch (outcome) {
			case Outcome.Delivered _ -> "delivered";
			case Outcome.Sent _ -> "sent";
			case Outcome.Bounced _ -> "bounced";
			case Outcome.Deferred _ -> "deferred";
			case Outcome.Unopened _ -> "unopened";
			case Outcome.Unanswered _ -> "unanswered";
			case Outcome.Suppressed _ -> "suppressed";
			case Outcome.Failed _ -> "failed";
		};
	}

	/**
	 * Whether an attempt is counted here: one that passed the fence was counted there.
	 */
	static boolean counts(Outcome outcome) {
		return outcome instanceof Outcome.Unopened unopened && unopened.counts();
	}

	/** Whether anything was tried. */
	static boolean isAttempt(Outcome outcome) {
		return !(outcome instanceof Outcome.Unopened unopened) || unopened.counts();
	}

	/** What is at fault where it bounced; else null. */
	static @Nullable String bounce(Outcome outcome) {
		return (outcome instanceof Outcome.Bounced bounced) ? bounced.type().wire() : null;
	}

	/** What the server said, without what could not be stored or shown. */
	static @Nullable String reply(Outcome outcome) {
		@Nullable String said = said(outcome);
		return (said != null) ? said.replaceAll("\\p{Cntrl}", " ") : null;
	}

	private static @Nullable String said(Outcome outcome) {
		return switch (outcome) {
			case Outcome.Delivered(var reply) -> reply;
			case Outcome.Sent(var reply) -> reply;
			case Outcome.Bounced(var _, var reply) -> reply;
			case Outcome.Deferred(var reply) -> reply;
			case Outcome.Unopened(var reply, var _) -> reply;
			case Outcome.Unanswered _ -> null;
			case Outcome.Suppressed _ -> null;
			case Outcome.Failed(var reason, var _) -> reason;
		};
	}

}
