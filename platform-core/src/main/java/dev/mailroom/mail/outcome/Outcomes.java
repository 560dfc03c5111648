package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.RetrySchedule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * Settles deliveries, many in one transaction: the delivery, the status of its mail, the
 * attempt, the event, the suppression list and the sender's reputation. A delivery that
 * is already settled, or that was leased again, is left unchanged.
 */
@Service
public class Outcomes {

	private static final Logger log = LoggerFactory.getLogger(Outcomes.class);

	private final Transactions transactions;

	private final OutcomeStore store;

	private final FeedbackStore feedback;

	private final Attempts attempts;

	private final DeadLetters deadLetters;

	private final Events events;

	private final Suppressions suppressions;

	private final Reputations reputations;

	private final Sandbox sandbox;

	private final RetrySchedule retries;

	private final ApplicationEventPublisher publisher;

	Outcomes(Transactions transactions, OutcomeStore store, FeedbackStore feedback, Attempts attempts,
			DeadLetters deadLetters, Events events, Suppressions suppressions, Reputations reputations, Sandbox sandbox,
			RetrySchedule retries, ApplicationEventPublisher publisher) {
		this.transactions = transactions;
		this.store = store;
		this.feedback = feedback;
		this.attempts = attempts;
		this.deadLetters = deadLetters;
		this.events = events;
		this.suppressions = suppressions;
		this.reputations = reputations;
		this.sandbox = sandbox;
		this.retries = retries;
		this.publisher = publisher;
	}

	/** Settles a group of deliveries; repeating the call has no further effect. */
	public Mono<Void> settle(List<Settlement> settlements) {
		Mono<List<SettledDelivery>> work = this.store.settle(Settlement.answered(settlements), this.retries)
			.collectList()
			.delayUntil(this::updateEmails)
			.delayUntil((settled) -> this.attempts.record(settlements, settled))
			.delayUntil((settled) -> this.deadLetters.record(settlements, settled))
			.delayUntil(this::recordEvents)
			.delayUntil(this::suppress)
			.delayUntil((settled) -> this.reputations
				.count(outsideSandbox(settled).flatMap(SettledDelivery::reputation).toList()))
			.delayUntil((settled) -> apply(this.sandbox.complaints(settled)));
		return this.transactions.byIndex(work).doOnNext(this.sandbox::queueReactions).doOnNext(this::publish).then();
	}

	/**
	 * Settles deliveries that the fence barred. Errors are only logged: such a delivery
	 * keeps its lease, and is barred again after the lease has expired.
	 */
	public Mono<Void> settleBarred(List<Fenced.Barred> barred) {
		return barred.isEmpty() ? Mono.empty() : settle(barred.stream().map(Settlement::of).toList())
			.doOnError(
					(error) -> log.warn("{} barred deliveries were not settled: {}", barred.size(), error.toString()))
			.onErrorComplete();
	}

	/**
	 * Applies feedback that arrived after the hand-over. A delivery's status only
	 * advances: a report that is repeated, concurrently or later, changes nothing.
	 * @return number of deliveries that were changed
	 */
	public Mono<Long> recordFeedback(List<FeedbackReport> reports) {
		return this.transactions.byIndex(apply(reports))
			.doOnNext(this::publish)
			.map((settled) -> (long) settled.size());
	}

	private Mono<List<SettledDelivery>> apply(List<FeedbackReport> reports) {
		return reports.isEmpty() ? Mono.just(List.of())
				: this.feedback.move(reports)
					.collectList()
					.flatMap((moved) -> Mono.just(moved.stream().map(FeedbackStore.Moved::delivery).toList())
						.delayUntil(this::updateEmails)
						.delayUntil(this::recordEvents)
						.delayUntil(this::suppress)
						.delayUntil((_) -> correctReputations(moved)));
	}

	/** Locks the mails first, so that concurrent settlements see each other's rows. */
	private Mono<Void> updateEmails(List<SettledDelivery> settled) {
		return this.store.lockEmails(SettledDelivery.lastEvents(settled))
			.then(Mono.defer(() -> this.store.updateEmails(SettledDelivery.lastEvents(settled))));
	}

	private Mono<Void> recordEvents(List<SettledDelivery> settled) {
		List<Event> events = settled.stream().map(SettledDelivery::event).flatMap(Optional::stream).toList();
		return this.events.record(events);
	}

	private Mono<Void> suppress(List<SettledDelivery> settled) {
		return this.suppressions.add(outsideSandbox(settled).flatMap(SettledDelivery::suppression).toList());
	}

	private Mono<Void> correctReputations(List<FeedbackStore.Moved> moved) {
		return this.reputations.correct(moved.stream()
			.filter((one) -> !this.sandbox.contains(one.delivery().recipient()))
			.flatMap(FeedbackStore.Moved::corrections)
			.toList());
	}

	private Stream<SettledDelivery> outsideSandbox(List<SettledDelivery> settled) {
		return settled.stream().filter((delivery) -> !this.sandbox.contains(delivery.recipient()));
	}

	private void publish(List<SettledDelivery> settled) {
		SettledDelivery.grouped(settled).forEach(this.publisher::publishEvent);
	}

}
