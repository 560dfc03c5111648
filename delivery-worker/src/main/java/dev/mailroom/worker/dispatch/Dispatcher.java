package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.outcome.Settled;
import dev.mailroom.queue.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Takes what is due from the queue to the topic. One is at work, wherever it runs; the
 * others stand by. It is woken by the doorbell and looks by itself too, takes back what
 * was leased and never settled, and heals by itself when the database or the broker was
 * away.
 */
@Component
public class Dispatcher implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

	/** While there is work it looks this many times as often. */
	private static final int HASTE = 10;

	/** So often at the most it looks, however often the bell rings. */
	private static final Duration BREATH = Duration.ofMillis(5);

	private static final Duration RECOVERY = Duration.ofSeconds(1);

	/**
	 * Longer than the database lets a statement run: whoever says nothing for so long is
	 * gone.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(45);

	private static final Duration TOPIC = Duration.ofSeconds(5);

	private static final Retry AGAIN = Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(500))
		.maxBackoff(Duration.ofSeconds(5))
		.transientErrors(true)
		.doBeforeRetry((signal) -> log.warn("Dispatching stopped and starts again: {}", signal.failure().toString()));

	private final DispatcherLock watch;

	private final Queue queue;

	private final DeliveryTopic topic;

	private final DispatchSettings settings;

	/** Whose turn was last; the next one goes on behind it. */
	private final AtomicReference<UUID> last = new AtomicReference<>(Queue.Turn.START);

	/** Deliveries settled here since the queue was last looked at. */
	private final AtomicInteger freed = new AtomicInteger();

	private final Sinks.Many<Boolean> room = Sinks.many().multicast().directBestEffort();

	private volatile boolean busy;

	private volatile boolean full;

	private volatile boolean atWork;

	private Disposable running = Disposables.disposed();

	Dispatcher(DispatcherLock watch, Queue queue, DeliveryTopic topic, DispatchSettings settings) {
		this.watch = watch;
		this.queue = queue;
		this.topic = topic;
		this.settings = settings;
	}

	/** Whether it holds the lock, and the others stand by. */
	public boolean atWork() {
		return this.atWork;
	}

	/** What is settled makes room; where there was none it is filled at once. */
	@EventListener
	void settled(Settled settled) {
		if (this.freed.addAndGet(settled.count()) >= this.settings.refill() && this.full) {
			this.room.tryEmitNext(true);
		}
	}

	private Flux<Void> run() {
		Flux<Boolean> looks = Flux.interval(this.settings.poll().dividedBy(HASTE))
			.filter((tick) -> this.busy || tick % HASTE == 0)
			.map((_) -> true);
		// The first ring says that the lock is held: nobody looks before.
		Flux<Void> work = this.watch.rings()
			.doOnNext((_) -> this.atWork = true)
			.doFinally((_) -> this.atWork = false)
			.switchOnFirst((first, rings) -> first.hasValue() ? Flux.merge(rings, looks, this.room.asFlux()) : rings)
			.onBackpressureLatest()
			.concatMap((_) -> drain(), 1);
		Flux<Void> upkeep = Flux.interval(RECOVERY).onBackpressureDrop().concatMap((_) -> recover(), 1);
		Flux<Boolean> topic = Flux.interval(Duration.ZERO, TOPIC)
			.onBackpressureDrop()
			.concatMap((_) -> this.topic.ready().onErrorComplete(), 1);
		return Flux.merge(work, upkeep, topic.thenMany(Flux.<Void>empty())).retryWhen(AGAIN);
	}

	/**
	 * Leases and publishes until nothing is due or the window is full, and then takes
	 * breath: what rings meanwhile is leased together.
	 */
	private Mono<Void> drain() {
		return turn().expand((again) -> again ? turn() : Mono.empty()).then(Mono.delay(BREATH)).then();
	}

	/**
	 * One turn, from behind the account that was served last to the end of all accounts.
	 * @return whether there are accounts before that one whose turn is now
	 */
	private Mono<Boolean> turn() {
		return Mono.defer(() -> {
			UUID after = this.last.get();
			this.freed.set(0);
			return this.queue.lease(this.settings.window(), this.settings.share(), after)
				.delayUntil(this::publish)
				.timeout(PATIENCE)
				.map((turn) -> {
					this.last.set(turn.last());
					this.full = turn.full();
					this.busy = turn.full() || !turn.leases().isEmpty();
					return !turn.full() && !after.equals(Queue.Turn.START);
				});
		});
	}

	private Mono<Void> publish(Queue.Turn turn) {
		return turn.leases().isEmpty() ? Mono.empty() : this.topic.publish(turn.leases())
			.onErrorResume((ex) -> this.queue.release(turn.leases()).then(Mono.error(ex)));
	}

	private Mono<Void> recover() {
		return this.queue.recover().timeout(PATIENCE).doOnNext((count) -> {
			if (count > 0) {
				log.info("{} deliveries were leased and never settled; they are in the queue again", count);
			}
		}).then();
	}

	@Override
	public void start() {
		this.running = run().subscribe();
	}

	@Override
	public void stop() {
		this.running.dispose();
		this.topic.close();
	}

	@Override
	public boolean isRunning() {
		return !this.running.isDisposed();
	}

	/** It starts after the senders and stops before them. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

}
