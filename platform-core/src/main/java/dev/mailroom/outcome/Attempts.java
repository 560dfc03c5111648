package dev.mailroom.outcome;

import java.time.Instant;
import java.util.ArrayList;
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
	 * belongs to a lease that was over, and what costs no attempt is none; one that was
	 * never answered changes nothing, and is kept all the same.
	 */
	Mono<Void> record(List<Settlement> settlements, List<SettledDelivery> changes) {
		Map<UUID, Attempt> attempts = new HashMap<>();
		for (Settlement settlement : Settlement.known(settlements)) {
			if (settlement.attempt() != null && OutcomeColumns.isAttempt(settlement.outcome())) {
				attempts.putIfAbsent(settlement.lease().delivery(), settlement.attempt());
			}
		}
		List<AttemptStore.Tried> tried = changes.stream()
			.flatMap((change) -> Stream.ofNullable(attempts.get(change.id()))
				.map((attempt) -> new AttemptStore.Tried(change, attempt)))
			.toList();
		return this.store.insert(tried).then(this.store.insertUnanswered(unanswered(settlements)));
	}

	private static List<AttemptStore.Unanswered> unanswered(List<Settlement> settlements) {
		List<AttemptStore.Unanswered> unanswered = new ArrayList<>();
		for (Settlement settlement : settlements) {
			if (settlement.outcome() instanceof Outcome.Unanswered(int number) && settlement.attempt() != null) {
				unanswered
					.add(new AttemptStore.Unanswered(settlement.lease().delivery(), number, settlement.attempt()));
			}
		}
		return unanswered;
	}

	/**
	 * An attempt as it was kept.
	 *
	 * @param attempt counted from one, for each recipient
	 * @param outcome delivered, sent, bounced, deferred, unanswered, failed or expired
	 */
	public record Made(UUID id, String recipient, int attempt, Instant beganAt, long tookMs, String outcome,
			String transport, String host, String address, String tls, @Nullable String reply,
			List<TranscriptLine> conversation) {
	}

}
