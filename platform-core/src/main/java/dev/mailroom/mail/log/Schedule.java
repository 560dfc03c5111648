package dev.mailroom.mail.log;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.FieldErrors;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import dev.mailroom.mail.accept.Quotas;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.queue.Transitions;
import dev.mailroom.mail.draft.EmailRefusals;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Reschedules and cancels emails that are not due yet. The email's rows in the queue are
 * locked first: either the change or a worker's lease takes effect, never both.
 */
@Service
public class Schedule {

	private final Transactions transactions;

	private final EmailStore store;

	private final Transitions transitions;

	private final Quotas quotas;

	private final Events events;

	private final Clock clock;

	Schedule(Transactions transactions, EmailStore store, Transitions transitions, Quotas quotas, Events events,
			Clock clock) {
		this.transactions = transactions;
		this.store = store;
		this.transitions = transitions;
		this.quotas = quotas;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Reschedules an email.
	 * @param sendAt ISO 8601 with an offset, in the future
	 * @throws dev.mailroom.Refused {@code Validation error}, {@code Email not found} or
	 * {@code Email already processed}
	 */
	public Mono<Email> move(Scope scope, UUID id, @Nullable String sendAt) {
		return Mono.defer(() -> {
			Instant at = read(sendAt);
			Mono<Email> work = scheduled(scope, id).flatMap((_) -> this.transitions.reschedule(scope, id, at))
				.then(Mono.defer(() -> this.store.find(scope, id)));
			return this.transactions.in(scope, work);
		});
	}

	/**
	 * Cancels an email. Its status becomes failed without counting as a failure, and its
	 * quota is returned.
	 * @throws dev.mailroom.Refused {@code Email not found} or
	 * {@code Email already processed}
	 */
	public Mono<Email> cancel(Scope scope, UUID id) {
		Mono<Email> work = scheduled(scope, id)
			.flatMap((email) -> this.transitions.cancel(scope, id)
				.then(Mono.defer(() -> this.quotas.giveBack(scope, 1, email.createdAt())))
				.then(Mono.defer(() -> this.events.record(List.of(cancelled(scope, id))))))
			.then(Mono.defer(() -> this.store.find(scope, id)));
		return this.transactions.in(scope, work);
	}

	/** Locks an email that is not due yet. */
	private Mono<Email> scheduled(Scope scope, UUID id) {
		return this.transitions.lock(scope, id)
			.collectList()
			.flatMap((deliveries) -> this.store.find(scope, id)
				.switchIfEmpty(Mono.error(() -> Emails.notFound(id)))
				.filter((email) -> isScheduled(email, deliveries))
				.switchIfEmpty(Mono.error(() -> EmailRefusals.PROCESSED
					.because("Only a mail that still waits for its send_at can be changed or cancelled"))));
	}

	private static Event cancelled(Scope scope, UUID id) {
		return new Event(scope.account(), EventKind.EMAIL_CANCELLED, id, Map.of());
	}

	private static boolean isScheduled(Email email, List<Transitions.Position> deliveries) {
		return email.lastEvent().equals("scheduled") && !deliveries.isEmpty()
				&& deliveries.stream().allMatch(Transitions.Position::isUntouched);
	}

	private Instant read(@Nullable String sendAt) {
		FieldErrors errors = new FieldErrors();
		@Nullable Instant at = CheckedMail.readSendAt(sendAt, this.clock.instant(), errors);
		if (at == null && errors.isEmpty()) {
			errors.add("send_at", "is required");
		}
		errors.refuseIfAny(EmailRefusals.INVALID, FieldErrors::summary);
		return Objects.requireNonNull(at);
	}

}
