package dev.mailroom.email;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.accept.EmailRefusals;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import dev.mailroom.event.Kind;
import dev.mailroom.quota.Quotas;
import dev.mailroom.submission.Drafting;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Moves and cancels mails that wait for their time. The mail's deliveries are locked
 * first, so of a change and a worker's lease exactly one wins.
 */
@Service
public class Schedule {

	private final Transactions transactions;

	private final EmailStore store;

	private final Quotas quotas;

	private final Events events;

	private final Clock clock;

	Schedule(Transactions transactions, EmailStore store, Quotas quotas, Events events, Clock clock) {
		this.transactions = transactions;
		this.store = store;
		this.quotas = quotas;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Gives a mail another time.
	 * @param sendAt ISO 8601 with an offset, in the future
	 * @throws dev.mailroom.Refused {@code Validation error}, {@code Email not found} or
	 * {@code Email already processed}
	 */
	public Mono<Email> move(Scope scope, UUID id, @Nullable String sendAt) {
		return Mono.defer(() -> {
			Instant at = read(sendAt);
			Mono<Email> work = waiting(scope, id).flatMap((_) -> this.store.reschedule(scope, id, at))
				.then(Mono.defer(() -> this.store.find(scope, id)));
			return this.transactions.in(scope, work);
		});
	}

	/**
	 * Cancels a mail: it fails without counting as a failure, and the quota has it back.
	 * @throws dev.mailroom.Refused {@code Email not found} or
	 * {@code Email already processed}
	 */
	public Mono<Email> cancel(Scope scope, UUID id) {
		Mono<Email> work = waiting(scope, id)
			.flatMap((email) -> this.store.cancel(scope, id)
				.then(Mono.defer(() -> this.quotas.giveBack(scope, 1, email.createdAt())))
				.then(Mono.defer(() -> this.events.record(List.of(cancelled(scope, id))))))
			.then(Mono.defer(() -> this.store.find(scope, id)));
		return this.transactions.in(scope, work);
	}

	private Mono<Email> waiting(Scope scope, UUID id) {
		return this.store.hold(scope, id)
			.collectList()
			.flatMap((deliveries) -> this.store.find(scope, id)
				.switchIfEmpty(Mono.error(() -> Emails.missing(id)))
				.filter((email) -> isWaiting(email, deliveries))
				.switchIfEmpty(Mono.error(() -> EmailRefusals.PROCESSED
					.because("Only a mail that still waits for its send_at can be changed or cancelled"))));
	}

	private static Event cancelled(Scope scope, UUID id) {
		return new Event(scope.account(), Kind.EMAIL_CANCELLED, id, Map.of());
	}

	private static boolean isWaiting(Email email, List<EmailStore.Waiting> deliveries) {
		return email.lastEvent().equals("scheduled") && !deliveries.isEmpty()
				&& deliveries.stream().allMatch(EmailStore.Waiting::isUntouched);
	}

	private Instant read(@Nullable String sendAt) {
		List<Refusal.Detail> wrong = new ArrayList<>();
		@Nullable Instant at = Drafting.sendAt(wrong, sendAt, this.clock.instant());
		if (at == null && wrong.isEmpty()) {
			wrong.add(new Refusal.Detail("send_at", "is required"));
		}
		if (at == null || !wrong.isEmpty()) {
			throw Drafting.refused(wrong);
		}
		return at;
	}

}
