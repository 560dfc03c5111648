package dev.mailroom.worker.fanout;

import java.time.Duration;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.campaign.CampaignPages;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.loop.Heartbeat;
import dev.mailroom.worker.loop.LoopHealth;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Creates the mails of running campaigns on the worker with the active dispatcher. In
 * each pass every running campaign takes one step, several of them at the same time. A
 * campaign is locked by its step, so that two workers never take the same one.
 */
@Component
class FanOut implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(FanOut.class);

	/**
	 * Delay after a pass in which no running campaign could continue at once; it also
	 * bounds the time to the first mail of a campaign that starts.
	 */
	private static final Duration INTERVAL = Duration.ofMillis(250);

	/** Delay of the next step of a campaign after a step without effect. */
	private static final Duration WAIT = Duration.ofMillis(500);

	private static final int MAX_WAITING = 100_000;

	private static final int PARALLEL_STEPS = 4;

	/** Exceeds the statement timeout, so that it only ends work on a dead connection. */
	private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);

	/** Exceeds the timeouts of a pass with those of a restart. */
	private static final Duration MAX_SILENCE = Duration.ofMinutes(5);

	private static final Retry RESTART = Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(500))
		.maxBackoff(Duration.ofSeconds(5))
		.transientErrors(true)
		.doBeforeRetry((signal) -> log.warn("The fan-out failed and is restarted: {}", signal.failure().toString()));

	private final Dispatcher dispatcher;

	private final CampaignPages pages;

	private final LoopHealth health;

	private final Heartbeat passes;

	/** Campaigns whose last step had no effect. */
	private final Cache<UUID, Boolean> waiting = Caffeine.newBuilder()
		.maximumSize(MAX_WAITING)
		.expireAfterWrite(WAIT)
		.build();

	private final Counter fannedOut;

	private Disposable running = Disposables.disposed();

	FanOut(Dispatcher dispatcher, CampaignPages pages, LoopHealth health, MeterRegistry registry) {
		this.dispatcher = dispatcher;
		this.pages = pages;
		this.health = health;
		this.passes = health.watch("fan-out of campaigns", MAX_SILENCE);
		this.fannedOut = Counter.builder("mailroom.campaign.fanned.out")
			.description("Mails created for the contacts of campaigns")
			.register(registry);
	}

	private Flux<Long> run() {
		return Mono.defer(() -> pass().flatMap((delay) -> delay.isZero() ? Mono.just(0L) : Mono.delay(delay)))
			.repeat()
			.doOnError((_) -> this.passes.beat())
			.retryWhen(RESTART);
	}

	/**
	 * One step of each running campaign.
	 * @return the delay until the next pass
	 */
	private Mono<Duration> pass() {
		this.passes.beat();
		return this.dispatcher.isActive() ? this.pages.running()
			.timeout(STEP_TIMEOUT)
			.flatMap((campaign) -> (this.waiting.getIfPresent(campaign.id()) != null) ? Mono.just(false)
					: step(campaign), PARALLEL_STEPS)
			.map((more) -> more ? Duration.ZERO : INTERVAL)
			.reduce(INTERVAL, (one, other) -> (one.compareTo(other) < 0) ? one : other) : Mono.just(INTERVAL);
	}

	/** A step that fails is logged and repeated in the next pass. */
	private Mono<Boolean> step(CampaignPages.Running campaign) {
		return this.pages.next(campaign).timeout(STEP_TIMEOUT).map((step) -> {
			this.passes.beat();
			this.fannedOut.increment(step.mails());
			if (step.mails() == 0 && !step.more()) {
				this.waiting.put(campaign.id(), true);
			}
			return step.more();
		}).onErrorResume((error) -> {
			log.warn("Campaign {} of account {} could not be continued and is tried again: {}", campaign.id(),
					campaign.accountId(), error.toString());
			return Mono.just(false);
		});
	}

	@Override
	public void start() {
		this.passes.beat();
		this.running = run().subscribe((_) -> {
		}, (error) -> this.health.ended("fan-out of campaigns", error), () -> this.health.ended("fan-out of campaigns",
				new IllegalStateException("The loop ended without an error")));
	}

	@Override
	public void stop() {
		this.running.dispose();
		this.passes.idle();
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
