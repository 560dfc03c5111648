package dev.mailroom.outcome;

import java.util.List;
import java.util.Optional;

import dev.mailroom.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import dev.mailroom.queue.Fenced;
import dev.mailroom.queue.RetrySchedule;
import dev.mailroom.reputation.Reputations;
import dev.mailroom.suppression.Suppressions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * The one funnel: whatever happens to a delivery is settled here, many at a time and in
 * one transaction: the delivery, its mail's status, the events, the suppressions and the
 * sender's reputation. What was settled before, or belongs to a newer lease, stays as it
 * is.
 */
@Service
public class Outcomes {

	private static final Logger log = LoggerFactory.getLogger(Outcomes.class);

	private final Transactions transactions;

	private final OutcomeStore store;

	private final FeedbackStore news;

	private final Attempts attempts;

	private final DeadLetters deadLetters;

	private final Events events;

	private final Suppressions suppressions;

	private final Reputations reputations;

	private final Sandbox sandbox;

	private final RetrySchedule retries;

	private final ApplicationEventPublisher publisher;

	Outcomes(Transactions transactions, OutcomeStore store, FeedbackStore news, Attempts attempts,
			DeadLetters deadLetters, Events events, Suppressions suppressions, Reputations reputations, Sandbox sandbox,
			RetrySchedule retries, ApplicationEventPublisher publisher) {
		this.transactions = transactions;
		this.store = store;
		this.news = news;
		this.attempts = attempts;
		this.deadLetters = deadLetters;
		this.events = events;
		this.suppressions = suppressions;
		this.reputations = reputations;
		this.sandbox = sandbox;
		this.retries = retries;
		this.publisher = publisher;
	}

	/** Settles a group of deliveries. Tried again, it changes nothing twice. */
	public Mono<Void> settle(List<Settlement> settlements) {
		Mono<List<SettledDelivery>> work = this.store.move(Settlement.known(settlements), this.retries)
			.collectList()
			.delayUntil((changes) -> this.store.hold(SettledDelivery.lastEvents(changes)))
			.delayUntil((changes) -> this.store.refresh(SettledDelivery.lastEvents(changes)))
			.delayUntil((changes) -> this.attempts.record(settlements, changes))
			.delayUntil((changes) -> this.deadLetters.record(settlements, changes))
			.delayUntil((changes) -> this.events.record(events(changes)))
			.delayUntil((changes) -> this.suppressions
				.add(this.sandbox.others(changes).flatMap(SettledDelivery::suppression).toList()))
			.delayUntil((changes) -> this.reputations
				.count(this.sandbox.others(changes).flatMap(SettledDelivery::mark).toList()))
			.delayUntil(this.sandbox::react)
			.delayUntil((changes) -> heard(this.sandbox.complaints(changes)));
		return this.transactions.byIndex(work)
			.doOnNext((changes) -> SettledDelivery.grouped(changes).forEach(this.publisher::publishEvent))
			.then();
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
	 * Takes in what is heard of deliveries after they were handed over, a bounce or a
	 * complaint. A delivery only moves forward: heard again, whether at once by many or
	 * much later, it changes nothing.
	 * @return how many deliveries moved
	 */
	public Mono<Long> hear(List<FeedbackReport> news) {
		return this.transactions.byIndex(heard(news))
			.doOnNext((changes) -> SettledDelivery.grouped(changes).forEach(this.publisher::publishEvent))
			.map((changes) -> (long) changes.size());
	}

	private Mono<List<SettledDelivery>> heard(List<FeedbackReport> news) {
		return news.isEmpty() ? Mono.just(List.of())
				: this.news.move(news)
					.collectList()
					.flatMap((late) -> Mono.just(late.stream().map(LateOutcome::change).toList())
						.delayUntil((changes) -> this.store.hold(SettledDelivery.lastEvents(changes)))
						.delayUntil((changes) -> this.store.refresh(SettledDelivery.lastEvents(changes)))
						.delayUntil((changes) -> this.events.record(events(changes)))
						.delayUntil((changes) -> this.suppressions
							.add(this.sandbox.others(changes).flatMap(SettledDelivery::suppression).toList()))
						.delayUntil((_) -> this.reputations
							.correct(this.sandbox.real(late).flatMap(LateOutcome::corrections).toList())));
	}

	private static List<Event> events(List<SettledDelivery> changes) {
		return changes.stream().map(SettledDelivery::event).flatMap(Optional::stream).toList();
	}

}
