package dev.mailroom.idempotency;

import dev.mailroom.Refused;

/** What came of a claim. */
public sealed interface Claimed {

	/** Nobody has used the key: the work is this request's. */
	record Fresh() implements Claimed {
	}

	/** The work is done; this was its answer. */
	record Answered(Answer answer) implements Claimed {
	}

	/** The key belongs to another body. */
	record Reused(Refused refused) implements Claimed {
	}

}
