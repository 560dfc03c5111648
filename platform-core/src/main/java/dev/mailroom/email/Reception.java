package dev.mailroom.email;

import java.util.List;

import dev.mailroom.idempotency.Answer;

/** How a request to send was received. */
public sealed interface Reception {

	/** Done now: a verdict for each mail, in the request's order. */
	record Done(List<Verdict> verdicts) implements Reception {
	}

	/** Done before, under the same Idempotency-Key: the answer of then. */
	record Replayed(Answer answer) implements Reception {
	}

}
