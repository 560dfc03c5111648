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
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Dead letters for operators, who can requeue and dismiss them. */
@Service
public class ManagedDeadLetters {

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
	 * @param requeued whether they were requeued; null for all
	 */
	public Mono<List<DeadLetters.Entry>> list(Operator operator, @Nullable Boolean requeued, Page.Request page) {
		return this.deadLetters.list(requeued, page);
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
		Mono<UUID> requeued = this.deadLetters.requeue(id)
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> Refusal.INVALID_REQUEST.because(
					"Only a mail that failed, has not been requeued before and still has its content can be requeued")))
			.then(Mono.defer(() -> this.audits.recordOperator(operator.scope(), null, Act.DEAD_LETTER_REQUEUED, id,
					null, Map.of())))
			.thenReturn(id);
		return this.transactions.acrossAccounts(requeued);
	}

}
