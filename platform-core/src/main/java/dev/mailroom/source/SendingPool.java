package dev.mailroom.source;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Sending addresses that share mail by their weights.
 *
 * @param fallbackPool pool used while this one has no usable address; null without one
 */
public record SendingPool(String name, WhenEmpty whenEmpty, @Nullable String fallbackPool, List<Weighted> members) {

	/** Treatment of mail while no address of the pool can be used. */
	public enum WhenEmpty {

		/** It waits. */
		WAIT,
		/** It uses another pool. */
		FALLBACK,
		/** It leaves from any address that the operating system chooses. */
		ANY;

		/** The value in the database. */
		String stored() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * An address of a pool.
	 *
	 * @param weight share of the mail in proportion to the others, from 1 to 100
	 */
	public record Weighted(String source, int weight) {
	}

}
