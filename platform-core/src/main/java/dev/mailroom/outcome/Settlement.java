package dev.mailroom.outcome;

import java.util.List;

import dev.mailroom.queue.Lease;
import org.jspecify.annotations.Nullable;

/**
 * What came of one delivery that a worker held.
 *
 * @param attempt how it went; null where nobody was spoken to
 */
public record Settlement(Lease lease, Outcome outcome, @Nullable Attempt attempt) {

	/** A settlement without a try. */
	public Settlement(Lease lease, Outcome outcome) {
		this(lease, outcome, null);
	}

	/** Those that end or put off something: what came of the others nobody knows. */
	static List<Settlement> known(List<Settlement> all) {
		return all.stream().filter((one) -> !(one.outcome() instanceof Outcome.Unanswered)).toList();
	}

}
