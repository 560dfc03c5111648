package dev.mailroom.api.email;

import java.util.List;
import java.util.function.Function;

import dev.mailroom.accept.MailResult;
import dev.mailroom.accept.SendResult;
import dev.mailroom.api.idempotency.Idempotent;

import org.springframework.http.ResponseEntity;

/** How a request to send is answered: anew, or as it was the first time. */
final class SendResponses {

	private SendResponses() {
	}

	static ResponseEntity<Object> answer(SendResult reception, Function<List<MailResult>, ?> body) {
		return switch (reception) {
			case SendResult.Done(var verdicts) -> ResponseEntity.ok(body.apply(verdicts));
			case SendResult.Replayed(var answer) -> Idempotent.replayed(answer);
		};
	}

}
