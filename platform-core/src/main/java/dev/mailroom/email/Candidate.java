package dev.mailroom.email;

import dev.mailroom.Refused;

/** One mail of a request, looked at: fit to be sent, or not and why. */
public sealed interface Candidate {

	/** Valid as far as it can be told without the database. */
	record Fit(Draft draft) implements Candidate {
	}

	/** Turned away already; in a batch the others go on without it. */
	record Unfit(Refused refused) implements Candidate {
	}

}
