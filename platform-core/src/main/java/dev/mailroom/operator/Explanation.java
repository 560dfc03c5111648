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
		/** Cause that holds the mail back, if there is one. */
		STOP,
		/** The sending addresses for this mail, for direct delivery as the following. */
		POOL,
		/** The one of them that it would have now. */
		SOURCE,
		/** The servers that share limits. */
		SITE,
		/** Its limits and rules. */
		PROFILE,
		/** Pace that was learned from replies. */
		PACE,
		/** Sessions and circuit breaker. */
		CIRCUIT,
		/** Policy of the recipient's domain about TLS. */
		TLS_POLICY

	}

}
