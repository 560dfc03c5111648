package dev.mailroom.mail.accept;

import dev.mailroom.Refused;

/** Outcome of a claim. */
public sealed interface Claimed {

	/** The key is unused: the request must do the work. */
	record Fresh() implements Claimed {
	}

	/** An earlier request with the same body did the work. */
	record Completed(StoredResponse response) implements Claimed {
	}

	/** The key was used with another body. */
	record Conflicting(Refused refused) implements Claimed {
	}

}
