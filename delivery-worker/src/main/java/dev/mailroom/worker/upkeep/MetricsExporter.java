package dev.mailroom.worker.upkeep;

import java.util.concurrent.TimeUnit;

import dev.mailroom.observability.QueueMeters;
import dev.mailroom.observability.QuotaMeters;
import dev.mailroom.observability.ReputationMeters;
import dev.mailroom.worker.dispatch.Dispatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Reads what is shown once for all workers, where the dispatcher is the one at work. What
 * was read last is hidden where it no longer is, and where the database does not answer:
 * an old figure looks like a true one.
 */
@Component
@EnableScheduling
class MetricsExporter {

	private static final Logger log = LoggerFactory.getLogger(MetricsExporter.class);

	private static final long EVERY_SECONDS = 5;

	/** Days and weeks do not change in a moment. */
	private static final long REPUTATION_EVERY_SECONDS = 60;

	/**
	 * A dispatcher that fails and starts again is not at work for a while: the queue must
	 * not go out of sight because the broker is away.
	 */
	private static final int PATIENCE = 4;

	private final Dispatcher dispatcher;

	private final QueueMeters queue;

	private final QuotaMeters quota;

	private final ReputationMeters reputation;

	/** How many looks ago the dispatcher was at work. */
	private volatile int missed = PATIENCE;

	MetricsExporter(Dispatcher dispatcher, QueueMeters queue, QuotaMeters quota, ReputationMeters reputation) {
		this.dispatcher = dispatcher;
		this.queue = queue;
		this.quota = quota;
		this.reputation = reputation;
	}

	@Scheduled(initialDelay = 1, fixedDelay = EVERY_SECONDS, timeUnit = TimeUnit.SECONDS)
	Mono<Void> export() {
		return Mono.defer(this::look).onErrorResume((error) -> {
			log.warn("Queue and quotas cannot be shown: {}", error.toString());
			return Mono.fromRunnable(this::hide);
		});
	}

	@Scheduled(initialDelay = 2, fixedDelay = REPUTATION_EVERY_SECONDS, timeUnit = TimeUnit.SECONDS)
	Mono<Void> exportReputation() {
		return Mono.defer(() -> (this.missed < PATIENCE) ? this.reputation.read() : Mono.empty())
			.onErrorResume((error) -> {
				log.warn("Reputations cannot be shown: {}", error.toString());
				return Mono.fromRunnable(this.reputation::hide);
			});
	}

	private Mono<Void> look() {
		this.missed = this.dispatcher.atWork() ? 0 : Math.min(PATIENCE, this.missed + 1);
		return (this.missed < PATIENCE) ? this.queue.read().then(this.quota.read()) : Mono.fromRunnable(this::hide);
	}

	private void hide() {
		this.queue.hide();
		this.quota.hide();
		this.reputation.hide();
	}

}
