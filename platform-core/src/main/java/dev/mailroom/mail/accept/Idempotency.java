package dev.mailroom.mail.accept;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.database.SqlState;
import dev.mailroom.mail.accept.IdempotencyStore.IdempotencyRecord;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Claims keys in the transaction that does the work: both are committed or neither. A
 * second request with the same key waits at the unique index until the first one's
 * transaction ends, and then finds its response.
 */
@Service
public class Idempotency {

	static final Refusal REUSED = Refusal.conflict("Idempotency key reused");

	static final Refusal IN_PROGRESS = Refusal.conflict("Request in progress");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private final IdempotencyStore store;

	private final ApplicationEventPublisher publisher;

	Idempotency(IdempotencyStore store, ApplicationEventPublisher publisher) {
		this.store = store;
		this.publisher = publisher;
	}

	/**
	 * Reports the use of a key when its request ends. A refusal for another reason, which
	 * leaves the key unused, is not reported.
	 * @param replayed whether a result repeats an earlier one
	 */
	public <T> Mono<T> reporting(Mono<T> request, Predicate<T> replayed) {
		return request
			.doOnNext((result) -> this.publisher.publishEvent(replayed.test(result) ? KeyUse.REPLAYED : KeyUse.NEW))
			.doOnError(Refused.class, (error) -> KeyUse.of(error.refusal()).ifPresent(this.publisher::publishEvent));
	}

	/**
	 * Claims the keys of a group. Call it inside the transaction that does the work.
	 * @param claims at most one for each key
	 * @throws Refused {@code Request in progress} if one of the keys is held by a request
	 * that does not end within the lock timeout
	 */
	public Mono<Map<Claim.Name, Claimed>> claim(Collection<Claim> claims) {
		Map<Claim, StoredResponse> unanswered = new LinkedHashMap<>();
		claims.forEach((claim) -> unanswered.put(claim, StoredResponse.NONE));
		return unanswered.isEmpty() ? Mono.just(Map.of()) : claim(unanswered);
	}

	/**
	 * Claims the keys of a group in a transaction of JDBC, together with the responses
	 * that the requests will have if the transaction is committed.
	 * @throws Refused {@code Request in progress}, as {@link #claim(Collection)}
	 */
	public Map<Claim.Name, Claimed> claim(JdbcClient jdbc, Map<Claim, StoredResponse> responses) {
		if (responses.isEmpty()) {
			return Map.of();
		}
		List<Claim> all = List.copyOf(responses.keySet());
		Set<Claim.Name> fresh;
		try {
			fresh = Set.copyOf(this.store.insert(jdbc, List.copyOf(responses.entrySet())));
		}
		catch (DataAccessException ex) {
			throw isHeld(ex) ? inProgress() : ex;
		}
		List<Claim> used = used(all, fresh);
		List<IdempotencyRecord> records = used.isEmpty() ? List.of() : this.store.find(jdbc, used);
		return outcomes(all, fresh, records);
	}

	private Mono<Map<Claim.Name, Claimed>> claim(Map<Claim, StoredResponse> responses) {
		List<Claim> all = List.copyOf(responses.keySet());
		return this.store.insert(List.copyOf(responses.entrySet()))
			.collectList()
			.onErrorMap(Idempotency::isHeld, (_) -> inProgress())
			.flatMap((names) -> {
				Set<Claim.Name> fresh = Set.copyOf(names);
				List<Claim> used = used(all, fresh);
				return (used.isEmpty() ? Mono.just(List.<IdempotencyRecord>of()) : this.store.find(used).collectList())
					.map((records) -> outcomes(all, fresh, records));
			});
	}

	private static List<Claim> used(List<Claim> claims, Set<Claim.Name> fresh) {
		return claims.stream().filter((claim) -> !fresh.contains(claim.name())).toList();
	}

	/**
	 * The outcome of an earlier request, without claiming the key; empty if it is unused.
	 */
	public Mono<Claimed> find(Claim claim) {
		return this.store.findCurrent(List.of(claim)).next().map((earlier) -> outcome(claim, earlier));
	}

	private static Claimed outcome(Claim claim, IdempotencyRecord earlier) {
		return earlier.bodyHash().equals(claim.bodyHash()) ? new Claimed.Completed(earlier.response())
				: new Claimed.Conflicting(reused());
	}

	/** Refuses a key that was used with another body. */
	public static Refused reused() {
		return REUSED.because("This Idempotency-Key was used within 24 hours with another body; "
				+ "take a new key for a new request");
	}

	/** Whether a claim waited for its key's row until the lock timeout. */
	private static boolean isHeld(Throwable failure) {
		return SqlState.of(failure).equals(SqlState.LOCK_NOT_AVAILABLE);
	}

	/** Refuses a key whose request has not ended. */
	public static Refused inProgress() {
		return IN_PROGRESS.because("A request with this Idempotency-Key is still being worked on; ask again")
			.retryAfter(RETRY_AFTER);
	}

	/** Stores the responses of completed requests. Refusals are never stored. */
	public Mono<Void> store(Map<Claim, StoredResponse> responses) {
		return responses.isEmpty() ? Mono.empty() : this.store.complete(List.copyOf(responses.entrySet()));
	}

	/**
	 * Releases the keys of refused requests, which may use them again, in a transaction
	 * of JDBC.
	 */
	public void release(JdbcClient jdbc, List<Claim> claims) {
		if (!claims.isEmpty()) {
			this.store.delete(jdbc, claims);
		}
	}

	private static Map<Claim.Name, Claimed> outcomes(List<Claim> claims, Set<Claim.Name> fresh,
			List<IdempotencyRecord> found) {
		Map<Claim.Name, IdempotencyRecord> records = new HashMap<>();
		found.forEach((record) -> records.put(record.name(), record));
		Map<Claim.Name, Claimed> outcomes = new HashMap<>();
		for (Claim claim : claims) {
			@Nullable IdempotencyRecord earlier = records.get(claim.name());
			if (earlier != null) {
				outcomes.put(claim.name(), outcome(claim, earlier));
			}
			else if (fresh.contains(claim.name())) {
				outcomes.put(claim.name(), new Claimed.Fresh());
			}
		}
		return outcomes;
	}

	/** Application event: the result of a request with an Idempotency-Key. */
	public enum KeyUse {

		/** The request did the work. */
		NEW,

		/** The response of an earlier request was repeated. */
		REPLAYED,

		/** Refused: the key was used with another body. */
		REUSED,

		/** Refused: the request that holds the key has not ended. */
		IN_PROGRESS;

		static Optional<KeyUse> of(Refusal refusal) {
			if (refusal.equals(Idempotency.REUSED)) {
				return Optional.of(REUSED);
			}
			return refusal.equals(Idempotency.IN_PROGRESS) ? Optional.of(IN_PROGRESS) : Optional.empty();
		}

		/** The name in lower case. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
