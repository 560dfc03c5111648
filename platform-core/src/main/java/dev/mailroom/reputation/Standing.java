package dev.mailroom.reputation;

import java.util.Locale;

/** How a rate is taken by providers; the later, the worse. */
public enum Standing {

	/** Below what draws attention. */
	HEALTHY,
	/** High enough to be looked into. */
	WARNING,
	/** High enough for a provider to pause sending. */
	RISKY;

	/** As it is written on the wire. */
	public String wire() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** The worse of both. */
	Standing or(Standing other) {
		return (compareTo(other) >= 0) ? this : other;
	}

	/**
	 * The rates in percent between which a standing is a warning.
	 *
	 * @param healthyBelow from here on it is no longer healthy
	 * @param riskyAbove beyond this it is risky
	 */
	public record Threshold(double healthyBelow, double riskyAbove) {

		/** Of hard bounces. */
		public static final Threshold BOUNCE = new Threshold(2, 5);

		/** Of complaints. */
		public static final Threshold COMPLAINT = new Threshold(0.05, 0.1);

		/** What a rate comes to. */
		public Standing of(double rate) {
			if (rate < this.healthyBelow) {
				return HEALTHY;
			}
			return (rate > this.riskyAbove) ? RISKY : WARNING;
		}

	}

}
