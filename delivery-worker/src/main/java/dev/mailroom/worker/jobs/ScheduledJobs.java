package dev.mailroom.worker.jobs;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.domain.DomainWatch;
import dev.mailroom.operator.AutoPause;
import dev.mailroom.upkeep.DomainNotices;
import dev.mailroom.upkeep.Partitions;
import dev.mailroom.upkeep.Resealing;
import dev.mailroom.upkeep.Retention;
import dev.mailroom.webhook.WebhookUpkeep;
import dev.mailroom.worker.dispatch.Dispatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Scheduled jobs, run on the worker with the active dispatcher only. A job that fails
 * runs again at its next scheduled time. Jobs that others wait for are in
 * {@link NotifiedJobs}.
 */
@Component
class ScheduledJobs {

	private static final Logger log = LoggerFactory.getLogger(ScheduledJobs.class);

	/** Runs of the removal that are left out after one that removed nothing. */
	private static final int MAX_SKIPPED = 2;

	private final AtomicInteger skippedRemovals = new AtomicInteger(MAX_SKIPPED);

	private final Dispatcher dispatcher;

	private final DomainWatch domains;

	private final DomainNotices notices;

	private final Retention retention;

	private final Partitions partitions;

	private final AutoPause autoPause;

	private final WebhookUpkeep webhooks;

	private final Resealing resealing;

	ScheduledJobs(Dispatcher dispatcher, DomainWatch domains, DomainNotices notices, Retention retention,
			Partitions partitions, AutoPause autoPause, WebhookUpkeep webhooks, Resealing resealing) {
		this.dispatcher = dispatcher;
		this.domains = domains;
		this.notices = notices;
		this.retention = retention;
		this.partitions = partitions;
		this.autoPause = autoPause;
		this.webhooks = webhooks;
		this.resealing = resealing;
	}

	/** Checks the DNS records of domains. */
	@Scheduled(initialDelay = 2, fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
	Mono<Void> checkDomains() {
		return ifActive("DNS records were checked", Mono.defer(this.domains::recheck).thenReturn(0L));
	}

	/** Notifies owners of missing DNS records. */
	@Scheduled(initialDelay = 6, fixedDelay = 60, timeUnit = TimeUnit.SECONDS)
	Mono<Void> notifyOfMissingRecords() {
		return ifActive("owners were notified of missing DNS records", Mono.defer(this.notices::send));
	}

	/** Pauses accounts with risky rates. */
	@Scheduled(initialDelay = 10, fixedDelay = 60, timeUnit = TimeUnit.SECONDS)
	Mono<Void> pauseAccounts() {
		return ifActive("accounts were paused for their bounce or complaint rate",
				Mono.defer(this.autoPause::pauseRiskyAccounts));
	}

	/**
	 * Removes data whose retention period is over: each minute, and more often while
	 * there is some.
	 */
	@Scheduled(initialDelay = 20, fixedDelay = 20, timeUnit = TimeUnit.SECONDS)
	Mono<Void> removeExpired() {
		Mono<Long> removal = Mono.defer(this.retention::removeExpired).doOnNext((count) -> {
			if (count > 0) {
				this.skippedRemovals.set(MAX_SKIPPED);
			}
		});
		return ifActive("expired rows were removed", Mono.defer(() -> {
			int skipped = this.skippedRemovals.getAndUpdate((count) -> (count < MAX_SKIPPED) ? count + 1 : 0);
			return (skipped < MAX_SKIPPED) ? Mono.just(0L) : removal;
		}));
	}

	/** Creates monthly partitions ahead, and drops expired ones. */
	@Scheduled(initialDelay = 4, fixedDelay = 60, timeUnit = TimeUnit.SECONDS)
	Mono<Void> maintainPartitions() {
		return ifActive("partitions were created or months dropped", Mono.defer(this.partitions::maintain));
	}

	/** Gives up or removes calls to endpoints that are switched off or deleted. */
	@Scheduled(initialDelay = 15, fixedDelay = 30, timeUnit = TimeUnit.SECONDS)
	Mono<Void> sweepWebhookCalls() {
		return ifActive("webhook calls of inactive or deleted endpoints were given up or removed",
				Mono.fromCallable(this.webhooks::sweep).subscribeOn(Schedulers.boundedElastic()));
	}

	/** Seals secrets anew that an earlier master key sealed. */
	@Scheduled(initialDelay = 5, fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
	Mono<Void> resealSecrets() {
		return ifActive("secrets were sealed under the current master key", Mono.defer(this.resealing::reseal));
	}

	private Mono<Void> ifActive(String result, Mono<Long> work) {
		return Mono.defer(() -> this.dispatcher.isActive() ? work : Mono.just(0L)).doOnNext((count) -> {
			if (count > 0) {
				log.info("{} {}", count, result);
			}
		}).onErrorResume((error) -> {
			log.warn("A scheduled job failed ({}): {}", result, error.toString());
			return Mono.empty();
		}).then();
	}

}
