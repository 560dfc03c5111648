package dev.mailroom.accept;

import java.util.List;

import dev.mailroom.idempotency.Answer;

/** How a request to send was received. */
public sealed interface SendResult {

	/** Done now: a verdict for each mail, in the request's order. */
	record Done(List<MailResult> verdicts) implements SendResult {
	}

	/** Done before, under the same Idempotency-Key: the answer of then. */
	record Replayed(Answer answer) implements SendResult {
	}

}
