package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.worker.smtp.client.Transports;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Leases due deliveries and publishes them to the topic. One dispatcher of all workers is
 * active; the others stand by. It is woken by the doorbell and polls as well, recovers
 * expired leases, and restarts after errors of the database or the broker.
 */
@Component
public class Dispatcher implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

	/** Factor by which polls are more frequent while there is work. */
	private static final int BUSY_FACTOR = 10;

	/** Delay after a pass, except after one that leased a single delivery. */
	private static final Duration MIN_DELAY = Duration.ofMillis(5);

	/**
	 * Passes without a lease after which the delay no longer grows, if the queue has
	 * rows. If it has none, two more: new ones are announced.
	 */
	private static final int MAX_DOUBLINGS = 5;

	private static final Duration RECOVERY_INTERVAL = Duration.ofSeconds(2);

	private static final Duration TOPIC_INTERVAL = Duration.ofSeconds(5);

	/** Factor by which these intervals are longer while the queue has no rows. */
	private static final int IDLE_FACTOR = 5;

	/** Exceeds the statement timeout, so that it only ends work on a dead connection. */
	private static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(45);

	/** Exceeds the timeouts of a pass with those of a restart. */
	private static final Duration MAX_SILENCE = Duration.ofMinutes(3);

	private static final Retry RESTART = Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(500))
		.maxBackoff(Duration.ofSeconds(5))
		.transientErrors(true)
		.doBeforeRetry((signal) -> log.warn("The dispatcher failed and is restarted: {}", signal.failure().toString()));

	private final DispatcherLock lock;

	private final Queue queue;

	private final DeliveryTopic topic;

	private final Transports transports;

	private final HoldWatch holds;

	private final DispatchSettings settings;

	private final LoopHealth health;

	/** Passes over the queue; idle while this dispatcher is not active. */
	private final LoopHealth.Heartbeat passes;

	private final LoopHealth.Heartbeat recoveries;

	/** The last account of the previous turn. */
	private final AtomicReference<UUID> last = new AtomicReference<>(Queue.Turn.START);

	/** Deliveries settled in this process since the newest turn. */
	private final AtomicInteger freed = new AtomicInteger();

	private final Sinks.Many<Boolean> room = Sinks.many().multicast().directBestEffort();

	/** The delay until the next poll, emitted after each pass. */
	private final Sinks.Many<Duration> delays = Sinks.many().multicast().directBestEffort();

	/** Consecutive passes that leased nothing. */
	private final AtomicInteger idlePasses = new AtomicInteger();

	private volatile Queue.Turn newest = Queue.Turn.NONE;

	private volatile boolean active;

	private Disposable running = Disposables.disposed();

	Dispatcher(DispatcherLock lock, Queue queue, DeliveryTopic topic, Transports transports, HoldWatch holds,
			DispatchSettings settings, LoopHealth health) {
		this.lock = lock;
		this.queue = queue;
		this.topic = topic;
		this.transports = transports;
		this.holds = holds;
		this.settings = settings;
		this.health = health;
		this.passes = health.watch("dispatcher", MAX_SILENCE);
		this.recoveries = health.watch("recovery of expired leases", MAX_SILENCE);
	}

	/** Whether this dispatcher holds the lock. */
	public boolean isActive() {
		return this.active;
	}

	/** Starts a pass when enough deliveries of a full window are settled. */
	@EventListener
	void settled(Outcomes.Settled settled) {
		this.freed.addAndGet(settled.count());
		refill();
	}

	private void refill() {
		if (this.newest.full() && this.freed.get() >= this.settings.refill()) {
			this.room.tryEmitNext(true);
		}
	}

	private Flux<Void> run() {
		Flux<Boolean> polls = this.delays.asFlux().switchMap(Mono::delay).map((_) -> true);
		// The first ring means that the lock is held; there are no polls before it.
		Flux<Void> work = this.lock.rings().doOnNext((_) -> {
			this.active = true;
			this.passes.beat();
		}).doFinally((_) -> {
			this.active = false;
			this.newest = Queue.Turn.NONE;
			this.passes.idle();
		})
			.switchOnFirst((first, rings) -> first.hasValue()
					? Flux.merge(polls, this.room.asFlux(), this.holds.resumed(), rings) : rings)
			.onBackpressureLatest()
			.concatMap((_) -> drain().doOnSuccess((_) -> this.delays.tryEmitNext(nextPoll())), 1);
		Flux<Void> recovery = ticks(RECOVERY_INTERVAL).concatMap((_) -> recover(), 1);
		Flux<Void> topic = ticks(TOPIC_INTERVAL).concatMap((_) -> this.topic.ready().onErrorComplete().then(), 1);
		return Flux.merge(work, recovery, topic).doOnError((_) -> this.recoveries.beat()).retryWhen(RESTART);
	}

	private Flux<Long> ticks(Duration interval) {
		return Flux.interval(Duration.ZERO, interval)
			.filter((tick) -> !this.newest.empty() || tick % IDLE_FACTOR == 0)
			.onBackpressureDrop();
	}

	/**
	 * Leases and publishes until nothing is due or the window is full, and then waits a
	 * little, so that deliveries that become due meanwhile are leased together.
	 */
	private Mono<Void> drain() {
		return turn().expand((repeat) -> repeat ? turn() : Mono.empty())
			.then(Mono.defer(() -> (this.newest.leases().size() == 1) ? Mono.empty() : Mono.delay(MIN_DELAY)))
			.then();
	}

	/**
	 * The delay until the next poll, which doubles with each pass that leases nothing. It
	 * bounds the lateness of scheduled and retried mail: 1.6 s with the default interval.
	 */
	private Duration nextPoll() {
		this.passes.beat();
		boolean busy = this.newest.full() || !this.newest.leases().isEmpty();
		int idle = busy ? 0 : Math.min(this.idlePasses.get() + 1, MAX_DOUBLINGS + (this.newest.empty() ? 2 : 0));
		this.idlePasses.set(idle);
		return this.settings.poll().dividedBy(BUSY_FACTOR).multipliedBy(1L << idle);
	}

	/**
	 * One turn, from the account after the last one of the previous turn to the end.
	 * @return whether the accounts before it are still to be served
	 */
	private Mono<Boolean> turn() {
		return Mono.defer(() -> {
			if (this.holds.isPaused()) {
				this.newest = Queue.Turn.NONE;
				return Mono.just(false);
			}
			UUID after = this.last.get();
			this.freed.set(0);
			return this.queue.lease(this.settings.window(), this.settings.share(), after)
				.delayUntil(this::publish)
				.timeout(QUEUE_TIMEOUT)
				.map((turn) -> {
					this.last.set(turn.last());
					this.newest = turn;
					// Deliveries may have been settled meanwhile.
					refill();
					return !turn.full() && !after.equals(Queue.Turn.START);
				});
		});
	}

	/** Publishes leases, except those for held or closed destinations. */
	private Mono<Void> publish(Queue.Turn turn) {
		return LeasedTurn.of(turn.leases(), this.transports, this.holds::isHeld)
			.publish(this.topic, this.queue, this.holds.databaseTime());
	}

	private Mono<Void> recover() {
		return Mono.fromCallable(this.queue::recover).subscribeOn(Schedulers.boundedElastic()).doOnNext((count) -> {
			this.recoveries.beat();
			if (count > 0) {
				log.info("{} deliveries with an expired lease were returned to the queue", count);
			}
		}).then();
	}

	@Override
	public void start() {
		this.recoveries.beat();
		this.running = run().subscribe((_) -> {
		}, (error) -> this.health.ended("dispatcher", error),
				() -> this.health.ended("dispatcher", new IllegalStateException("The loop ended without an error")));
	}

	@Override
	public void stop() {
		this.running.dispose();
		this.recoveries.idle();
		this.topic.close();
	}

	@Override
	public boolean isRunning() {
		return !this.running.isDisposed();
	}

	/** Starts after the senders and stops before them. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

}
