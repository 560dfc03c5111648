package dev.mailroom.operator;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.DeadLetters;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Dead letters for operators, who can requeue and dismiss them. */
@Service
public class ManagedDeadLetters {

	/** Dead letters that one call requeues, so that it ends within seconds. */
	private static final int MAX_REQUEUED = 500;

	private final DeadLetters deadLetters;

	private final Audits audits;

	private final Transactions transactions;

	ManagedDeadLetters(DeadLetters deadLetters, Audits audits, Transactions transactions) {
		this.deadLetters = deadLetters;
		this.audits = audits;
		this.transactions = transactions;
	}

	/** The newest dead letters. */
	public Mono<List<DeadLetters.Entry>> newest(Operator operator) {
		return this.deadLetters.newest();
	}

	/**
	 * Dead letters, newest first, in the order in which the page reads them, and one more
	 * than it holds if there are more.
	 */
	public Mono<List<DeadLetters.Entry>> list(Operator operator, DeadLetters.Filter filter, Page.Request page) {
		return this.deadLetters.list(filter, page);
	}

	/**
	 * Deletes a dead letter. Its mail stays failed.
	 * @throws dev.mailroom.Refused {@code Invalid request data} without a reason,
	 * {@code Not found} if there is none or its mail is in the queue again
	 */
	public Mono<UUID> dismiss(Operator operator, UUID id, @Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			Mono<UUID> dismissed = this.deadLetters.dismiss(id)
				.switchIfEmpty(Mono.error(() -> OperationRefusals.NOT_FOUND
					.because("There is no dead letter " + id + ", or its mail is in the queue again")))
				.delayUntil((letter) -> this.audits.recordOperator(operator.scope(), letter.accountId(),
						Act.DEAD_LETTER_DISMISSED, id, why, Map.of("what", letter.what(), "why", letter.why())))
				.thenReturn(id);
			return this.transactions.acrossAccounts(dismissed);
		});
	}

	/**
	 * Returns a failed delivery to the queue, once.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if it is no delivery that
	 * failed and still has its content, or if it was requeued before
	 */
	public Mono<UUID> requeue(Operator operator, UUID id) {
		return requeue(operator, id, null).switchIfEmpty(Mono.error(() -> Refusal.INVALID_REQUEST.because(
				"Only a mail that failed, has not been requeued before and still has its content can be requeued")));
	}

	/**
	 * Returns failed deliveries to the queue, each once and in a transaction of its own:
	 * those of the oldest dead letters that match.
	 * @throws dev.mailroom.Refused {@code Invalid request data} without a reason
	 */
	public Mono<Requeued> requeueAll(Operator operator, DeadLetters.Filter filter, @Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			return this.deadLetters.findFailed(filter, MAX_REQUEUED + 1)
				.flatMap((found) -> Flux.fromIterable(found)
					.take(MAX_REQUEUED)
					.concatMap((id) -> requeue(operator, id, why))
					.count()
					.map((count) -> new Requeued(count.intValue(), found.size() > MAX_REQUEUED)));
		});
	}

	/** Empty if the dead letter cannot be requeued. */
	private Mono<UUID> requeue(Operator operator, UUID id, @Nullable String reason) {
		Mono<UUID> requeued = this.deadLetters.requeue(id)
			.filter(Boolean::booleanValue)
			.delayUntil((_) -> this.audits.recordOperator(operator.scope(), null, Act.DEAD_LETTER_REQUEUED, id, reason,
					Map.of()))
			.map((_) -> id);
		return this.transactions.acrossAccounts(requeued);
	}

	/**
	 * Result of requeueing many.
	 *
	 * @param count number of mails that are in the queue again
	 * @param more whether more dead letters match
	 */
	public record Requeued(int count, boolean more) {
	}

}
