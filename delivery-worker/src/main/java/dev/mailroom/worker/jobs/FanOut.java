package dev.mailroom.worker.jobs;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Parallel;
import dev.mailroom.campaign.CampaignFanOut;
import dev.mailroom.campaign.CampaignRuns;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.dispatch.LoopHealth;
import dev.mailroom.worker.dispatch.WorkLoops;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Creates the mails of running campaigns on the worker with the active dispatcher. In
 * each pass every running campaign takes one step, several of them at the same time. A
 * step locks its campaign: two workers never take the same one.
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

	/** Exceeds the timeouts of a pass with those of a restart. */
	private static final Duration MAX_SILENCE = Duration.ofMinutes(5);

	private final Dispatcher dispatcher;

	private final CampaignFanOut campaigns;

	private final CampaignRuns runs;

	private final LoopHealth.Heartbeat passes;

	/** Campaigns whose last step had no effect. */
	private final Cache<UUID, Boolean> waiting = Caffeine.newBuilder()
		.maximumSize(MAX_WAITING)
		.expireAfterWrite(WAIT)
		.build();

	private final Counter fannedOut;

	FanOut(Dispatcher dispatcher, CampaignFanOut campaigns, CampaignRuns runs, WorkLoops loops, LoopHealth health,
			MeterRegistry registry) {
		this.dispatcher = dispatcher;
		this.campaigns = campaigns;
		this.runs = runs;
		this.passes = health.watch("fan-out of campaigns", MAX_SILENCE);
		this.fannedOut = Counter.builder("mailroom.campaign.fanned.out")
			.description("Mails created for the contacts of campaigns")
			.register(registry);
		loops.add("running campaigns", INTERVAL, this::search);
	}

	/**
	 * Takes passes until no running campaign can continue at once.
	 * @return whether a campaign runs, or another worker has the active dispatcher
	 */
	private boolean search() {
		this.passes.beat();
		while (this.dispatcher.isActive()) {
			List<CampaignFanOut.Running> running = this.campaigns.running();
			if (!pass(running)) {
				return !running.isEmpty() || this.runs.anyRunning();
			}
		}
		return true;
	}

	/**
	 * Takes one step of each campaign.
	 * @return whether one of them can continue at once
	 */
	private boolean pass(List<CampaignFanOut.Running> running) {
		List<CampaignFanOut.Running> ready = running.stream()
			.filter((campaign) -> this.waiting.getIfPresent(campaign.id()) == null)
			.toList();
		return Parallel.map(ready, PARALLEL_STEPS, this::step).contains(true);
	}

	/** Takes a step. One that fails is logged and repeated in the next pass. */
	private boolean step(CampaignFanOut.Running campaign) {
		try {
			CampaignFanOut.Step step = this.campaigns.next(campaign);
			this.passes.beat();
			this.fannedOut.increment(step.mails());
			if (step.mails() == 0 && !step.more()) {
				this.waiting.put(campaign.id(), true);
			}
			return step.more();
		}
		catch (RuntimeException ex) {
			log.warn("Campaign {} of account {} could not be continued and is tried again: {}", campaign.id(),
					campaign.accountId(), ex.toString());
			return false;
		}
	}

	@Override
	public void destroy() {
		this.passes.idle();
	}

}
