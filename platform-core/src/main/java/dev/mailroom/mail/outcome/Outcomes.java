package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.event.Events;
import dev.mailroom.mail.queue.EmailRows;
import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Transitions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Settles deliveries, many in one transaction: the delivery, the status of its mail, the
 * attempt, the event, the suppression list and the sender's reputation. A delivery that
 * is already settled, or that was leased again, is left unchanged.
 */
@Service
public class Outcomes {

	private static final Logger log = LoggerFactory.getLogger(Outcomes.class);

	private final JdbcTransactions transactions;

	private final Transitions transitions;

	private final EmailRows emails;

	private final SettlementStore store;

	private final Events events;

	private final Sandbox sandbox;

	private final ApplicationEventPublisher publisher;

	Outcomes(JdbcTransactions transactions, Transitions transitions, EmailRows emails, SettlementStore store,
			Events events, Sandbox sandbox, ApplicationEventPublisher publisher) {
		this.transactions = transactions;
		this.transitions = transitions;
		this.emails = emails;
		this.store = store;
		this.events = events;
		this.sandbox = sandbox;
		this.publisher = publisher;
	}

	/** Settles a group of deliveries; repeating the call has no further effect. */
	public void settle(List<Settlement> settlements) {
		List<SettledDelivery> settled = this.transactions.byIndex((jdbc) -> write(jdbc, settlements));
		this.sandbox.queueReactions(settled);
		publish(settled);
	}

	private List<SettledDelivery> write(JdbcClient jdbc, List<Settlement> settlements) {
		List<SettledDelivery> settled = refusedAgain(jdbc,
				this.transitions.settle(jdbc, Settlement.results(settlements), SettledDelivery::of));
		this.emails.updateStatus(jdbc, SettledDelivery.lastEvents(settled));
		this.store.insertAttempts(jdbc, settlements, settled);
		this.store.insertDeadLetters(jdbc, settlements, settled);
		this.events.record(jdbc, SettledDelivery.events(settled));
		this.store.suppress(jdbc, outsideSandbox(settled).flatMap(SettledDelivery::suppression).toList());
		Map<UUID, Settlement.Attempt> attempts = Settlement.attempts(settlements);
		this.store.count(jdbc, outsideSandbox(settled).flatMap(SettledDelivery::reputation).toList(),
				outsideSandbox(settled).flatMap((delivery) -> ProviderCount.of(delivery, attempts)).toList());
		apply(jdbc, this.sandbox.complaints(settled));
		return settled;
	}

	/**
	 * Turns refusals without a reason into hard bounces if the address was refused like
	 * this on an earlier day.
	 */
	private List<SettledDelivery> refusedAgain(JdbcClient jdbc, List<SettledDelivery> settled) {
		Set<UUID> again = this.store.refuseUnexplained(jdbc,
				outsideSandbox(settled).filter(SettledDelivery::isUnexplained).toList());
		return again.isEmpty() ? settled
				: settled.stream()
					.map((delivery) -> again.contains(delivery.id()) ? delivery.refusedAgain() : delivery)
					.toList();
	}

	/**
	 * Fails mail that is due, of accounts that have been suspended for a time.
	 * @return number of deliveries
	 */
	public long failSuspended(Duration suspension, int limit) {
		return fail("The account has been suspended for %d days".formatted(suspension.toDays()),
				(jdbc) -> this.transitions.lockSuspended(jdbc, suspension, limit));
	}

	/**
	 * Fails mail of an account to a destination that takes none, if it is older than mail
	 * may be retried. Such mail was never tried, or a few times.
	 * @return number of deliveries
	 */
	public long failOverdue(UUID account, String destination, int limit) {
		return fail("Expired: %s could not be reached or took too little mail".formatted(destination),
				(jdbc) -> this.transitions.lockOverdue(jdbc, account, destination, limit));
	}

	/** Fails the deliveries that the work locks. */
	private long fail(String reason, Function<JdbcClient, List<Lease>> lock) {
		Outcome failed = new Outcome.Failed(reason);
		List<SettledDelivery> settled = this.transactions.byIndex((jdbc) -> {
			List<Lease> leases = lock.apply(jdbc);
			return leases.isEmpty() ? List.of()
					: write(jdbc, leases.stream().map((lease) -> new Settlement(lease, failed)).toList());
		});
		publish(settled);
		return settled.size();
	}

	/**
	 * Settles deliveries that the fence barred. Errors are only logged: such a delivery
	 * is leased and barred again.
	 */
	public void settleBarred(List<Fenced.Barred> barred) {
		if (barred.isEmpty()) {
			return;
		}
		try {
			settle(barred.stream().map(Settlement::of).toList());
		}
		catch (RuntimeException ex) {
			log.warn("{} barred deliveries were not settled: {}", barred.size(), ex.toString());
		}
	}

	/**
	 * Applies feedback that arrived after the hand-over. A delivery's status only
	 * advances: a report that is repeated, concurrently or later, changes nothing.
	 * @return number of deliveries that were changed
	 */
	public long recordFeedback(List<FeedbackReport> reports) {
		List<SettledDelivery> settled = this.transactions.byIndex((jdbc) -> apply(jdbc, reports));
		publish(settled);
		return settled.size();
	}

	private List<SettledDelivery> apply(JdbcClient jdbc, List<FeedbackReport> reports) {
		if (reports.isEmpty()) {
			return List.of();
		}
		List<FeedbackReport.Effect> effects = this.transitions.finishByFeedback(jdbc,
				reports.stream().map(FeedbackReport::feedback).toList(), FeedbackReport.Effect::of);
		List<SettledDelivery> settled = effects.stream().map(FeedbackReport.Effect::delivery).toList();
		this.emails.updateStatus(jdbc, SettledDelivery.lastEvents(settled));
		this.events.record(jdbc, SettledDelivery.events(settled));
		this.store.suppress(jdbc, outsideSandbox(settled).flatMap(SettledDelivery::suppression).toList());
		List<FeedbackReport.Effect> counted = effects.stream()
			.filter((one) -> !this.sandbox.contains(one.delivery().recipient()))
			.toList();
		this.store.correct(jdbc, counted.stream().flatMap(FeedbackReport.Effect::corrections).toList(),
				counted.stream().filter((one) -> one.delivery().result() == DeliveryResult.COMPLAINED).toList());
		return settled;
	}

	private Stream<SettledDelivery> outsideSandbox(List<SettledDelivery> settled) {
		return settled.stream().filter((delivery) -> !this.sandbox.contains(delivery.recipient()));
	}

	private void publish(List<SettledDelivery> settled) {
		this.publisher.publishEvent(new Ended(settled.stream().map(SettledDelivery::id).toList()));
		SettledDelivery.grouped(settled).forEach(this.publisher::publishEvent);
	}

	/**
	 * Application event, published after each commit.
	 *
	 * @param deliveries those that were settled, or whose attempt ended
	 */
	public record Ended(List<UUID> deliveries) {
	}

	/**
	 * Application event, published after each commit for every result and stream of the
	 * group.
	 *
	 * @param result delivered, sent, bounced, deferred, suppressed, failed or complained
	 * @param toFirstAttempt time from due to the end of the attempt, of those deliveries
	 * that were tried for the first time
	 * @param attempts number of attempts so far of each delivery
	 */
	public record Settled(DeliveryResult result, String stream, int count, List<Duration> toFirstAttempt,
			List<Integer> attempts) {
	}

}
