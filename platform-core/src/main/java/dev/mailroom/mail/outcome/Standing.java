package dev.mailroom.mail.outcome;

import java.util.Locale;

/** Rating of a rate by mailbox providers, from best to worst. */
public enum Standing {

	/** Low. */
	HEALTHY,
	/** High enough that the sender should look for the cause. */
	WARNING,
	/** High enough that sending may be paused. */
	RISKY;

	/** The name in API responses. */
	public String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** The worse of the two. */
	Standing or(Standing other) {
		return (compareTo(other) >= 0) ? this : other;
	}

	/**
	 * Limits of a rate, in percent, between which it is a warning.
	 *
	 * @param healthyBelow a lower rate is healthy
	 * @param riskyAbove a higher rate is risky
	 */
	public record Threshold(double healthyBelow, double riskyAbove) {

		/** Limits of the hard bounce rate. */
		public static final Threshold BOUNCE = new Threshold(2, 5);

		/** Limits of the complaint rate. */
		public static final Threshold COMPLAINT = new Threshold(0.05, 0.1);

		/** The standing of a rate. */
		public Standing of(double rate) {
			if (rate < this.healthyBelow) {
				return HEALTHY;
			}
			return (rate > this.riskyAbove) ? RISKY : WARNING;
		}

	}

}
