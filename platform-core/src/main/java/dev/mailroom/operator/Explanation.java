package dev.mailroom.operator;

/**
 * One step of the way that a mail would take, with its reason.
 *
 * @param value what applies
 * @param reason why, as a sentence
 */
public record Explanation(Step step, String value, String reason) {

	/** Steps in their order. */
	public enum Step {

		/** Relay or direct delivery. */
		TRANSPORT,
		/** What holds the mail back, if anything does. */
		STOP,
		/** The servers that share limits. */
		SITE,
		/** Its limits and rules. */
		PROFILE,
		/** What was learned from replies. */
		PACE,
		/** Sessions and circuit breaker. */
		CIRCUIT

	}

}
