package dev.mailroom.outcome;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** What was tried for a mail, with every word that was said. */
@Service
public class Attempts {

	private final AttemptStore store;

	private final Transactions transactions;

	Attempts(AttemptStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/** A mail's attempts, oldest first; none for a mail that is not the account's. */
	public Mono<List<Made>> of(Scope scope, UUID emailId) {
		return this.transactions.in(scope, this.store.list(scope, emailId).collectList());
	}

	/**
	 * Keeps what was tried, in the transaction that settles it. What changed nothing
	 * belongs to a lease that was over, and what costs no attempt is none.
	 */
	Mono<Void> record(List<Settlement> settlements, List<Change> changes) {
		Map<UUID, Attempt> attempts = new HashMap<>();
		for (Settlement settlement : settlements) {
			if (settlement.attempt() != null && Words.isAttempt(settlement.outcome())) {
				attempts.putIfAbsent(settlement.lease().delivery(), settlement.attempt());
			}
		}
		return this.store.insert(changes.stream()
			.flatMap((change) -> Stream.ofNullable(attempts.get(change.id()))
				.map((attempt) -> new AttemptStore.Tried(change, attempt)))
			.toList());
	}

	/**
	 * An attempt as it was kept.
	 *
	 * @param attempt counted from one, for each recipient
	 * @param outcome delivered, sent, bounced, deferred, failed or expired
	 */
	public record Made(UUID id, String recipient, int attempt, Instant beganAt, long tookMs, String outcome,
			String transport, String host, String address, String tls, @Nullable String reply,
			List<Said> conversation) {
	}

}
