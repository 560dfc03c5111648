package dev.mailroom.outcome;

import java.util.List;

import dev.mailroom.queue.Fenced;
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

	/** The settlement of a delivery that the fence barred. */
	static Settlement of(Fenced.Barred barred) {
		return new Settlement(barred.lease(), switch (barred.reason()) {
			case SUPPRESSED -> new Outcome.Suppressed();
			case EXHAUSTED -> new Outcome.Deferred("No attempt was answered");
			case UNREADABLE -> new Outcome.Failed("The mail's content cannot be read", true);
			case CONTENT_GONE -> new Outcome.Failed("The mail's content is gone", true);
			case CONTENT_UNAVAILABLE -> new Outcome.Unopened("The mail's content could not be fetched", false);
			case NO_ROOM -> new Outcome.Unopened("The mail's attachments exceed the memory available now", false);
		});
	}

	/** Those that end or put off something: what came of the others nobody knows. */
	static List<Settlement> known(List<Settlement> all) {
		return all.stream().filter((one) -> !(one.outcome() instanceof Outcome.Unanswered)).toList();
	}

}
