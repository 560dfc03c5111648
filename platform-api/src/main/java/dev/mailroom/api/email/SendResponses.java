package dev.mailroom.api.email;

import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.Success;
import dev.mailroom.mail.accept.SendResult;

import org.springframework.http.ResponseEntity;

/**
 * Renders the results of sending. A retry with the same Idempotency-Key is rendered from
 * the stored result and has the same body.
 */
public final class SendResponses {

	private SendResponses() {
	}

	/** Response to POST /emails. */
	static ResponseEntity<Object> single(SendResult result) {
		return respond(result, AcceptedEmail.of(result.single()));
	}

	/** Response to POST /emails/batch. */
	static ResponseEntity<Object> batch(SendResult result) {
		return respond(result, BatchResponse.of(result.mails()));
	}

	/** Response to the routes that send a test mail. */
	public static ResponseEntity<Object> test(SendResult result) {
		return respond(result, Success.of("email", AcceptedEmail.of(result.single())));
	}

	/** Response with another body. */
	public static ResponseEntity<Object> respond(SendResult result, Object body) {
		return result.replayed() ? Idempotent.replay(200).body(body) : ResponseEntity.ok(body);
	}

}
