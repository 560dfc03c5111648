package dev.mailroom.worker.jobs;

import java.time.Duration;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.campaign.CampaignPages;
import dev.mailroom.upkeep.Agenda;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.dispatch.LoopHealth;
import dev.mailroom.worker.dispatch.WorkLoops;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Creates the mails of running campaigns on the worker with the active dispatcher. In
 * each pass every running campaign takes one step, several of them at the same time. A
 * campaign is locked by its step, so that two workers never take the same one.
 */
@Component
class FanOut implements DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(FanOut.class);

	/** Delay after a pass in which no running campaign could continue at once. */
	private static final Duration INTERVAL = Duration.ofMillis(250);

	/** Delay of the next step of a campaign after a step without effect. */
	private static final Duration WAIT = Duration.ofMillis(500);

	private static final int MAX_WAITING = 100_000;

	private static final int PARALLEL_STEPS = 4;

	/** Exceeds the statement timeout, so that it only ends work on a dead connection. */
	private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);

	/** Exceeds the timeouts of a pass with those of a restart. */
	private static final Duration MAX_SILENCE = Duration.ofMinutes(5);

	private final Dispatcher dispatcher;

	private final CampaignPages pages;

	private final Agenda agenda;

	private final LoopHealth.Heartbeat passes;

	/** Campaigns whose last step had no effect. */
	private final Cache<UUID, Boolean> waiting = Caffeine.newBuilder()
		.maximumSize(MAX_WAITING)
		.expireAfterWrite(WAIT)
		.build();

	private final Counter fannedOut;

	FanOut(Dispatcher dispatcher, CampaignPages pages, Agenda agenda, WorkLoops loops, LoopHealth health,
			MeterRegistry registry) {
		this.dispatcher = dispatcher;
		this.pages = pages;
		this.agenda = agenda;
		this.passes = health.watch("fan-out of campaigns", MAX_SILENCE);
		this.fannedOut = Counter.builder("mailroom.campaign.fanned.out")
			.description("Mails created for the contacts of campaigns")
			.register(registry);
		loops.add("running campaigns", INTERVAL, () -> search().blockOptional().orElse(false));
	}

	/**
	 * Takes passes until no running campaign can continue at once.
	 * @return whether a campaign runs, or another worker has the active dispatcher
	 */
	private Mono<Boolean> search() {
		this.passes.beat();
		return this.dispatcher.isActive() ? Mono.defer(this::pass)
			.repeat(this.dispatcher::isActive)
			.takeUntil((pass) -> !pass.more())
			.last()
			.flatMap((pass) -> pass.any() ? Mono.just(true) : this.agenda.anyRunningCampaign().timeout(STEP_TIMEOUT))
				: Mono.just(true);
	}

	/** One step of each running campaign. */
	private Mono<Pass> pass() {
		this.passes.beat();
		return this.pages.running()
			.timeout(STEP_TIMEOUT)
			.flatMap((campaign) -> (this.waiting.getIfPresent(campaign.id()) != null) ? Mono.just(false)
					: step(campaign), PARALLEL_STEPS)
			.reduce(Pass.EMPTY, (pass, more) -> new Pass(true, pass.more || more));
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
	public void destroy() {
		this.passes.idle();
	}

	/**
	 * A pass over the running campaigns.
	 *
	 * @param any whether there were any
	 * @param more whether one of them can continue at once
	 */
	private record Pass(boolean any, boolean more) {

		static final Pass EMPTY = new Pass(false, false);

	}

}
