package dev.mailroom.api.idempotency;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.idempotency.Answer;
import dev.mailroom.idempotency.Claim;
import dev.mailroom.idempotency.Claimed;
import dev.mailroom.idempotency.Idempotency;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/**
 * Does what a POST asks for once for each Idempotency-Key: the key, the work and the kept
 * answer share one transaction. Without a key it is just done.
 */
@Component
public class Idempotent {

	private final Transactions transactions;

	private final Idempotency idempotency;

	private final JsonMapper json;

	Idempotent(Transactions transactions, Idempotency idempotency, JsonMapper json) {
		this.transactions = transactions;
		this.idempotency = idempotency;
		this.json = json;
	}

	/**
	 * Answers with what the work yields, or with what it yielded the first time.
	 * @param keyed the request's key, or null where it has none
	 * @param status of a first answer
	 * @param work joins the transaction of the key
	 */
	public <T> Mono<ResponseEntity<Object>> answer(Scope scope, @Nullable IdempotencyKey keyed, HttpStatus status,
			Mono<T> work) {
		return answer(scope, keyed, work.map((body) -> ResponseEntity.status(status).body((Object) body)));
	}

	/**
	 * Answers with what the work yields, or with what it yielded the first time.
	 * @param keyed the request's key, or null where it has none
	 * @param work joins the transaction of the key, and sets the status of a first answer
	 */
	public Mono<ResponseEntity<Object>> answer(Scope scope, @Nullable IdempotencyKey keyed,
			Mono<ResponseEntity<Object>> work) {
		if (keyed == null) {
			return work;
		}
		Claim claim = keyed.claim(scope);
		Mono<ResponseEntity<Object>> once = this.idempotency.claim(List.of(claim))
			.flatMap((claimed) -> switch (Objects.requireNonNull(claimed.get(claim.name()))) {
				case Claimed.Fresh _ -> work.flatMap((first) -> keep(claim, first));
				case Claimed.Answered(var answer) -> Mono.just(replayed(answer));
				case Claimed.Reused(var refused) -> Mono.error(refused);
			});
		return this.transactions.in(scope, once).onErrorMap(Idempotency::isHeld, (_) -> Idempotency.inProgress());
	}

	private Mono<ResponseEntity<Object>> keep(Claim claim, ResponseEntity<Object> first) {
		Answer answer = new Answer(first.getStatusCode().value(), this.json.writeValueAsString(first.getBody()));
		return this.idempotency.keep(Map.of(claim, answer)).thenReturn(first);
	}

	/** A kept answer, said again word for word. */
	public static ResponseEntity<Object> replayed(Answer answer) {
		return ResponseEntity.status(answer.status())
			.header("Idempotency-Replayed", "true")
			.contentType(MediaType.APPLICATION_JSON)
			.body(answer.body());
	}

}
