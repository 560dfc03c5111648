package dev.mailroom;

import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Owner of limits at which work waits or is refused. Their use is watched from outside,
 * so reading it must be cheap and needs no database.
 */
public interface Bounded {

	/** The limits, which stay the same while the process runs. */
	List<Limit> limits();

	/**
	 * A limit and its use.
	 *
	 * @param resource name of the resource in metrics, which ends with the unit
	 * @param used present use
	 * @param limit largest use
	 * @param waiting work that waits for the resource now; null if it is refused instead
	 */
	record Limit(String resource, LongSupplier used, long limit, @Nullable LongSupplier waiting) {

		/** A limit above which work is refused. */
		public Limit(String resource, LongSupplier used, long limit) {
			this(resource, used, limit, null);
		}

	}

}
