package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.mailroom.operator.Workers;
import dev.mailroom.site.SiteMemory;
import dev.mailroom.site.Sites;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Saves what this worker has learned about sites and reads what the others have, before
 * it takes mail, every ten seconds while mail is sent directly, and when it stops.
 */
@Component
class SiteExchange implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(SiteExchange.class);

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	/** Before the sender threads. */
	private static final int PHASE = DEFAULT_PHASE - 2000;

	private final SitePaces paces;

	private final Sites sites;

	private final Workers workers;

	private @Nullable ScheduledExecutorService timer;

	SiteExchange(SitePaces paces, Sites sites, Workers workers) {
		this.paces = paces;
		this.sites = sites;
		this.workers = workers;
	}

	/** Exchanges once. Without the database, the worker goes on with what it knows. */
	void run() {
		try {
			List<SiteMemory> learned = this.paces.unsaved();
			this.paces.know(learned, this.sites.exchange(learned), this.workers.running());
		}
		catch (RuntimeException ex) {
			log.warn("The pace of sites could not be saved or read: {}", ex.toString());
		}
	}

	private void runIfUsed() {
		if (this.paces.isUsed()) {
			run();
		}
	}

	@Override
	public void start() {
		if (this.paces.isOn()) {
			run();
			this.timer = Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("sites").factory());
			Future<?> _ = this.timer.scheduleWithFixedDelay(this::runIfUsed, INTERVAL.toSeconds(), INTERVAL.toSeconds(),
					TimeUnit.SECONDS);
		}
	}

	@Override
	public void stop() {
		if (this.timer != null) {
			this.timer.shutdownNow();
			this.timer = null;
			run();
		}
	}

	@Override
	public boolean isRunning() {
		return this.timer != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
