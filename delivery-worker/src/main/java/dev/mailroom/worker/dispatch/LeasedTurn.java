package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Transports;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Leases of a turn. Those for destinations that an operator holds, or that are closed or
 * rate-limited in this worker, are not published, because workers would only return them
 * to the queue.
 *
 * @param open leases to be published
 * @param held leases for held destinations
 * @param closed the others, by the delay after which they are due again
 */
record LeasedTurn(List<Lease> open, List<Lease> held, Map<Duration, List<Lease>> closed) {

	/** Delays are rounded up to it, so that there are few groups. */
	private static final Duration UNIT = Duration.ofSeconds(1);

	static LeasedTurn of(List<Lease> leases, Transports transports, Predicate<Route> isHeld) {
		LeasedTurn turn = new LeasedTurn(new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
		leases.forEach((lease) -> turn.add(lease, transports, isHeld));
		return turn;
	}

	private void add(Lease lease, Transports transports, Predicate<Route> isHeld) {
		if (isHeld.test(lease.route())) {
			this.held.add(lease);
			return;
		}
		transports.closedFor(lease.route())
			.ifPresentOrElse(
					(time) -> this.closed.computeIfAbsent(roundedUp(time), (_) -> new ArrayList<>()).add(lease),
					() -> this.open.add(lease));
	}

	/**
	 * Publishes the open leases and returns the others to the queue, where those for held
	 * destinations are held.
	 * @param time time of the leases by the database's clock
	 */
	Mono<Void> publish(DeliveryTopic topic, Queue queue, Instant time) {
		Mono<Void> published = this.open.isEmpty() ? Mono.empty() : topic.publish(this.open, time)
			.onErrorResume((ex) -> waiting(() -> queue.returnToQueue(this.open, Duration.ZERO)).then(Mono.error(ex)));
		return published.then((this.held.isEmpty() && this.closed.isEmpty()) ? Mono.empty() : waiting(() -> {
			queue.hold(this.held);
			this.closed.forEach((delay, leases) -> queue.returnToQueue(leases, delay));
		}));
	}

	/** Work that waits for the database, on a thread for it. */
	private static Mono<Void> waiting(Runnable work) {
		return Mono.<Void>fromRunnable(work).subscribeOn(Schedulers.boundedElastic());
	}

	private static Duration roundedUp(Duration time) {
		return UNIT.multipliedBy(time.plus(UNIT).minusNanos(1).dividedBy(UNIT));
	}

}
