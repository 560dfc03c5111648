package dev.mailroom.api.http;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.accept.Claim;
import dev.mailroom.mail.accept.Claimed;
import dev.mailroom.mail.accept.Idempotency;
import dev.mailroom.mail.accept.StoredResponse;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/**
 * Runs the work of a POST request once for each Idempotency-Key. The key, the work and
 * the stored response share one transaction. A request without a key is simply run.
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
	 * Responds with the result of the work, or repeats the first response.
	 * @param key the request's key; null if it has none
	 * @param status the status of the first response
	 * @param work joins the transaction of the key
	 */
	public <T> Mono<ResponseEntity<Object>> answer(Scope scope, @Nullable IdempotencyKey key, HttpStatus status,
			Mono<T> work) {
		return answer(scope, key, response(status, work));
	}

	private static <T> Mono<ResponseEntity<Object>> response(HttpStatus status, Mono<T> work) {
		return work.map((body) -> ResponseEntity.status(status).body((Object) body));
	}

	/**
	 * Responds with the result of the work, or repeats the first response.
	 * @param key the request's key; null if it has none
	 * @param work joins the transaction of the key, and sets the status of the response
	 */
	public Mono<ResponseEntity<Object>> answer(Scope scope, @Nullable IdempotencyKey key,
			Mono<ResponseEntity<Object>> work) {
		return (key != null) ? reporting(once(scope, key, work)) : work;
	}

	private Mono<ResponseEntity<Object>> reporting(Mono<ResponseEntity<Object>> request) {
		return this.idempotency.reporting(request,
				(response) -> response.getHeaders().containsHeader(IdempotencyFilter.REPLAYED));
	}

	private Mono<ResponseEntity<Object>> once(Scope scope, IdempotencyKey key, Mono<ResponseEntity<Object>> work) {
		Claim claim = key.claim(scope);
		Mono<ResponseEntity<Object>> once = this.idempotency.claim(List.of(claim))
			.flatMap((claimed) -> switch (Objects.requireNonNull(claimed.get(claim.name()))) {
				case Claimed.Fresh _ -> work.flatMap((response) -> store(claim, response));
				case Claimed.Completed(var response) -> Mono.just(replay(response.status()).body(response.body()));
				case Claimed.Conflicting(var refused) -> Mono.error(refused);
			});
		return this.transactions.in(scope, once);
	}

	/**
	 * Responds with the result of work that begins with slow steps, or repeats the first
	 * response.
	 * @param preparation runs outside of transactions; its result is discarded if a
	 * concurrent request has the same key
	 * @param work joins the transaction of the key, and is repeated once after a conflict
	 */
	public <P, T> Mono<ResponseEntity<Object>> answer(Scope scope, @Nullable IdempotencyKey key, HttpStatus status,
			Mono<P> preparation, Function<P, Mono<T>> work) {
		if (key == null) {
			return answer(scope, null, status, preparation.flatMap((prepared) -> attempt(work.apply(prepared))));
		}
		return reporting(this.transactions.in(scope, this.idempotency.find(key.claim(scope)))
			.flatMap((claimed) -> switch (claimed) {
				case Claimed.Completed(var response) ->
					Mono.just(replay(response.status()).body((Object) response.body()));
				case Claimed.Conflicting(var refused) -> Mono.<ResponseEntity<Object>>error(refused);
				case Claimed.Fresh _ -> Mono.<ResponseEntity<Object>>empty();
			})
			.switchIfEmpty(Mono.defer(() -> preparation
				.flatMap((prepared) -> attempt(once(scope, key, response(status, work.apply(prepared))))))));
	}

	private static <T> Mono<T> attempt(Mono<T> work) {
		return work.retryWhen(Retry.max(1).filter(DuplicateKeyException.class::isInstance));
	}

	private Mono<ResponseEntity<Object>> store(Claim claim, ResponseEntity<Object> response) {
		StoredResponse stored = new StoredResponse(response.getStatusCode().value(),
				this.json.writeValueAsString(response.getBody()));
		return this.idempotency.store(Map.of(claim, stored)).thenReturn(response);
	}

	/** A response that repeats an earlier one; its body is to be added. */
	public static ResponseEntity.BodyBuilder replay(int status) {
		return ResponseEntity.status(status)
			.header(IdempotencyFilter.REPLAYED, "true")
			.contentType(MediaType.APPLICATION_JSON);
	}

}
