package dev.mailroom.idempotency;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.idempotency.IdempotencyStore.Kept;
import io.r2dbc.spi.R2dbcException;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Claims keys in the transaction that does the work, so that work and answer stand or
 * fall together. A second request with the same key waits at the unique index until the
 * first one's transaction ends, and then finds its answer.
 */
@Service
public class Idempotency {

	private static final Refusal REUSED = Refusal.conflict("Idempotency key reused");

	private static final Refusal IN_PROGRESS = Refusal.conflict("Request in progress");

	private static final Duration SOON = Duration.ofSeconds(1);

	private final IdempotencyStore store;

	Idempotency(IdempotencyStore store) {
		this.store = store;
	}

	/**
	 * Claims the keys of a group. Call it inside the transaction that does the work.
	 * @param claims one for each key
	 */
	public Mono<Map<Claim.Name, Claimed>> claim(Collection<Claim> claims) {
		if (claims.isEmpty()) {
			return Mono.just(Map.of());
		}
		List<Claim> all = List.copyOf(claims);
		return this.store.insert(all).collectList().flatMap((fresh) -> {
			List<Claim> rest = all.stream().filter((claim) -> !fresh.contains(claim.name())).toList();
			return found(rest).map((kept) -> sort(all, Set.copyOf(fresh), kept));
		});
	}

	/** Says whether a request is a retry of the one that this answer was kept for. */
	public static Claimed compare(Claim claim, String bodyHash, Answer answer) {
		if (claim.bodyHash().equals(bodyHash)) {
			return new Claimed.Answered(answer);
		}
		return new Claimed.Reused(REUSED.because("This Idempotency-Key was used within 24 hours with another body; "
				+ "take a new key for a new request"));
	}

	/**
	 * Whether work failed because a request with the same key has not ended: it waited
	 * for the key as long as the database waits for a lock (lock_not_available,
	 * PostgreSQL's manual, appendix A).
	 */
	public static boolean isHeld(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof R2dbcException refused) {
				return "55P03".equals(refused.getSqlState());
			}
		}
		return false;
	}

	/** What a request is told whose key another one holds. */
	public static Refused inProgress() {
		return IN_PROGRESS.because("A request with this Idempotency-Key is still being worked on; ask again")
			.retryAfter(SOON);
	}

	/** Keeps the answers of what was done. Only successes are kept. */
	public Mono<Void> keep(Map<Claim, Answer> answers) {
		return answers.isEmpty() ? Mono.empty() : this.store.keep(List.copyOf(answers.entrySet()));
	}

	/** Lets go of the keys of what was refused: the same key may be tried again. */
	public Mono<Void> release(Collection<Claim> claims) {
		return claims.isEmpty() ? Mono.empty() : this.store.delete(List.copyOf(claims));
	}

	private Mono<Map<Claim.Name, Kept>> found(List<Claim> claims) {
		return claims.isEmpty() ? Mono.just(Map.of()) : this.store.find(claims).collectMap(Kept::name);
	}

	private static Map<Claim.Name, Claimed> sort(List<Claim> all, Set<Claim.Name> fresh, Map<Claim.Name, Kept> kept) {
		Map<Claim.Name, Claimed> claimed = new HashMap<>();
		for (Claim claim : all) {
			Kept before = kept.get(claim.name());
			if (before != null) {
				claimed.put(claim.name(), compare(claim, before.bodyHash(), before.answer()));
			}
			else if (fresh.contains(claim.name())) {
				claimed.put(claim.name(), new Claimed.Fresh());
			}
		}
		return claimed;
	}

}
