package dev.mailroom.sdk;

/** Operations of suppressions. */
public final class Suppressions extends SuppressionsOperations {

	Suppressions(Transport transport) {
		super(transport);
	}

	/**
	 * Suppresses any number of addresses, in calls of 1000.
	 * @return the number of addresses that were not suppressed before
	 */
	public long addAll(Iterable<NewSuppression> suppressions) {
		long[] sum = new long[1];
		Waiting.inParts(suppressions, this.transport,
				(part, its) -> sum[0] += new Suppressions(its).addAllOnce(part).count());
		return sum[0];
	}

}
