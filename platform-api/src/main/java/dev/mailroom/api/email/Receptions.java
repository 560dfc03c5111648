package dev.mailroom.api.email;

import java.util.List;
import java.util.function.Function;

import dev.mailroom.api.idempotency.Once;
import dev.mailroom.email.Reception;
import dev.mailroom.email.Verdict;

import org.springframework.http.ResponseEntity;

/** How a request to send is answered: anew, or as it was the first time. */
final class Receptions {

	private Receptions() {
	}

	static ResponseEntity<Object> answer(Reception reception, Function<List<Verdict>, ?> body) {
		return switch (reception) {
			case Reception.Done(var verdicts) -> ResponseEntity.ok(body.apply(verdicts));
			case Reception.Replayed(var answer) -> Once.replayed(answer);
		};
	}

}
