package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.mailroom.mail.outcome.DeadLetters;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.observability.LoggedMail;
import dev.mailroom.worker.dispatch.HoldWatch;
import dev.mailroom.worker.smtp.client.NotOpened;
import dev.mailroom.worker.smtp.client.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Sends a chunk on the thread of a lane: opens a session, passes the fence, hands over
 * one mail after another, and waits until the outcomes are settled. The fence comes after
 * the session, so that no attempt is counted if it cannot be opened.
 */
@Component
class Sender {

	private static final Logger log = LoggerFactory.getLogger(Sender.class);

	/** Delay of deliveries that exceed the rate limit of their destination. */
	private static final Duration RATE_LIMIT_DELAY = Duration.ofSeconds(1);

	private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

	private final Queue queue;

	private final Outcomes outcomes;

	private final DeadLetters deadLetters;

	private final LaneQueue laneQueue;

	private final HandOvers handOvers;

	private final HandOverMeters meters;

	private final HoldWatch holds;

	private final SendSettings settings;

	Sender(Queue queue, Outcomes outcomes, DeadLetters deadLetters, LaneQueue laneQueue, HandOvers handOvers,
			SendSettings settings, HandOverMeters meters, HoldWatch holds) {
		this.queue = queue;
		this.outcomes = outcomes;
		this.deadLetters = deadLetters;
		this.laneQueue = laneQueue;
		this.handOvers = handOvers;
		this.meters = meters;
		this.holds = holds;
		this.settings = settings;
	}

	/**
	 * Sends a chunk. Deliveries that exceed a rate limit, or that a session was not
	 * opened for, return to the queue. Deliveries of a chunk that fails are recovered
	 * when their leases expire.
	 */
	void send(Chunk chunk) {
		List<CompletableFuture<Void>> settlements = new ArrayList<>();
		List<Lease> leases = admitted(chunk);
		if (!leases.isEmpty()) {
			try (LaneSession session = new LaneSession(chunk.transport(), chunk.route())) {
				hand(chunk, leases, session.open(), settlements);
				session.release();
			}
			catch (NotOpened ex) {
				notOpened(leases, ex, settlements);
			}
		}
		CompletableFuture.allOf(settlements.toArray(CompletableFuture[]::new)).join();
	}

	/** The leases that may begin; the others return to the queue. */
	private List<Lease> admitted(Chunk chunk) {
		if (this.holds.isPaused()) {
			postpone(chunk.leases(), Duration.ZERO);
			return List.of();
		}
		Map<Boolean, List<Lease>> held = chunk.leases()
			.stream()
			.collect(Collectors.partitioningBy((lease) -> this.holds.isHeld(lease.route())));
		withoutWaiting(held.getOrDefault(true, List.of()), this.queue::hold);
		Map<Boolean, List<Lease>> admitted = held.getOrDefault(false, List.of())
			.stream()
			.collect(Collectors.partitioningBy((lease) -> chunk.transport().admits(lease.route())));
		postpone(admitted.getOrDefault(false, List.of()), RATE_LIMIT_DELAY);
		return admitted.getOrDefault(true, List.of());
	}

	/** The mails have only waited if no server was contacted: they are not settled. */
	private void notOpened(List<Lease> leases, NotOpened reason, List<CompletableFuture<Void>> settlements) {
		if (reason.counts()) {
			log.atWarn()
				.addKeyValue(LoggedMail.ACCOUNT, leases.getFirst().route().accountId())
				.log("No session for {} deliveries: {}", leases.size(), reason.getMessage());
			this.meters.unopened(reason, leases);
			leases.forEach((lease) -> settlements
				.add(this.handOvers.settle(new Settlement(lease, reason.outcome(), reason.attempt()))));
		}
		else {
			log.debug("{} deliveries wait: {}", leases.size(), reason.getMessage());
			postpone(leases, reason.retryAfter());
		}
	}

	/**
	 * Passes the fence and hands over. The duration of the fence is included in the time
	 * within which hand-overs must begin, because the lease runs from the fence on, and
	 * limited by it, so that a database that does not reply does not block the lane.
	 */
	private void hand(Chunk chunk, List<Lease> leases, Session session, List<CompletableFuture<Void>> settlements) {
		if (this.laneQueue.isClosed() || this.holds.isPaused()) {
			postpone(leases, Duration.ZERO);
			return;
		}
		long deadline = System.nanoTime() + this.settings.beginWithin().toNanos();
		try (Fenced fenced = this.queue.fence(leases, this.settings.beginWithin())) {
			settlements.addAll(this.handOvers.run(chunk, session, fenced.handOvers(), deadline));
			this.outcomes.settleBarred(fenced.barred());
		}
	}

	/**
	 * Starts work, which ends if the result is cancelled. This class is the bridge
	 * between lanes, which block, and publishers.
	 */
	static <T> CompletableFuture<T> start(Mono<T> work) {
		CompletableFuture<T> result = new CompletableFuture<>();
		Disposable running = work.subscribe(result::complete, result::completeExceptionally,
				() -> result.completeExceptionally(new IllegalStateException("The work ended without a result")));
		CompletableFuture<T> _ = result.whenComplete((_, _) -> {
			if (result.isCancelled()) {
				running.dispose();
			}
		});
		return result;
	}

	/** Returns leases to the queue at a shutdown; if that fails, they expire. */
	void release(List<Lease> leases) {
		try {
			if (!start(leases, this.queue::release).join(SHUTDOWN_TIMEOUT)) {
				log.warn("{} leases were not returned in time and may expire", leases.size());
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Returns leases to the queue without waiting. If that fails, the leases expire.
	 */
	void postpone(List<Lease> leases, Duration delay) {
		withoutWaiting(leases, (returned) -> this.queue.postpone(returned, delay));
	}

	private static void withoutWaiting(List<Lease> leases, Consumer<List<Lease>> work) {
		if (!leases.isEmpty()) {
			start(leases, work);
		}
	}

	/** Returns leases on a thread of its own. */
	private static Thread start(List<Lease> leases, Consumer<List<Lease>> work) {
		return Thread.ofVirtual().name("leases").start(() -> {
			try {
				work.accept(leases);
			}
			catch (RuntimeException ex) {
				log.warn("{} leases were not returned and will expire: {}", leases.size(), ex.toString());
			}
		});
	}

	/**
	 * Records a dead letter for an unreadable record of the topic without waiting. Errors
	 * are only logged: the delivery, if there is one, is leased again.
	 */
	void recordUnreadable(String position) {
		Thread.ofVirtual().name("dead letter").start(() -> {
			try {
				this.deadLetters.recordUnreadable(position, "It is no lease");
			}
			catch (RuntimeException ex) {
				log.warn("No dead letter was recorded for {}: {}", position, ex.toString());
			}
		});
	}

}
