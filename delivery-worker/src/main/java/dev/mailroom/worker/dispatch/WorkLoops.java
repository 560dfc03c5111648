package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Loops that search the database for work. A search that finds work is repeated after its
 * interval. One that finds none waits until work is announced; if an announcement is
 * lost, the work is found within {@link #IDLE_INTERVAL}.
 */
@Component
public class WorkLoops implements SmartLifecycle {

	/** Time between two searches while none finds work and none is announced. */
	public static final Duration IDLE_INTERVAL = Duration.ofSeconds(30);

	/** Least time between two searches after one that failed. */
	private static final Duration ERROR_INTERVAL = Duration.ofSeconds(2);

	private static final Logger log = LoggerFactory.getLogger(WorkLoops.class);

	private final LoopHealth health;

	private final Duration idleInterval;

	private final List<Loop> loops = new CopyOnWriteArrayList<>();

	private final Sinks.Many<Boolean> announcements = Sinks.many().multicast().directBestEffort();

	private volatile Disposable running = Disposables.disposed();

	@Autowired
	WorkLoops(LoopHealth health) {
		this(health, IDLE_INTERVAL);
	}

	/**
	 * Creates the loops.
	 * @param idleInterval time between two searches without work
	 */
	WorkLoops(LoopHealth health, Duration idleInterval) {
		this.health = health;
		this.idleInterval = idleInterval;
	}

	/**
	 * Adds a loop, before the start of the app ends.
	 * @param interval time between two searches while there is work, and the least time
	 * between any two
	 * @param search emits whether there is work, or may be some; an error counts as such
	 */
	public void add(String name, Duration interval, Mono<Boolean> search) {
		this.loops.add(new Loop(name, interval, search));
	}

	/** Starts all searches that wait, each if its interval is over. */
	public void announce() {
		this.announcements.emitNext(true, Sinks.EmitFailureHandler.busyLooping(Duration.ofSeconds(1)));
	}

	private Flux<Boolean> run(Loop loop) {
		Sinks.Many<Duration> pauses = Sinks.many().multicast().directBestEffort();
		Flux<Boolean> repeats = pauses.asFlux().switchMap(Mono::delay).map((_) -> true);
		return Flux.merge(repeats, this.announcements.asFlux(), Flux.just(true))
			.onBackpressureLatest()
			.concatMap((_) -> loop.pass()
				.delayElement(loop.interval)
				.doOnNext((found) -> pauses.tryEmitNext(found ? Duration.ZERO : this.idleInterval)), 0);
	}

	@Override
	public void start() {
		this.running = Flux.fromIterable(this.loops)
			.flatMap((loop) -> run(loop).doOnError((error) -> this.health.ended(loop.name, error)), Integer.MAX_VALUE)
			.subscribe();
	}

	@Override
	public void stop() {
		this.running.dispose();
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

	private record Loop(String name, Duration interval, Mono<Boolean> search) {

		Mono<Boolean> pass() {
			return this.search.defaultIfEmpty(false).onErrorResume((error) -> {
				log.warn("A search for work failed and is repeated ({}): {}", this.name, error.toString());
				return Mono.just(true).delayElement(ERROR_INTERVAL);
			});
		}

	}

}
