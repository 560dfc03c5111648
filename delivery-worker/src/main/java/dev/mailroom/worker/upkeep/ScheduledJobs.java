package dev.mailroom.worker.upkeep;

import java.util.concurrent.TimeUnit;

import dev.mailroom.autopause.AutoPause;
import dev.mailroom.campaign.CampaignRuns;
import dev.mailroom.domain.DomainWatch;
import dev.mailroom.notice.DomainNotices;
import dev.mailroom.notice.EndpointNotices;
import dev.mailroom.optin.ConfirmationMails;
import dev.mailroom.reseal.Resealing;
import dev.mailroom.retention.Partitions;
import dev.mailroom.retention.Retention;
import dev.mailroom.webhook.WebhookUpkeep;
import dev.mailroom.worker.dispatch.Dispatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Scheduled jobs, run on the worker with the active dispatcher only. A job that fails
 * runs again at its next scheduled time.
 */
@Component
class ScheduledJobs {

	private static final Logger log = LoggerFactory.getLogger(ScheduledJobs.class);

	private final Dispatcher dispatcher;

	private final CampaignRuns campaigns;

	private final DomainWatch domains;

	private final DomainNotices notices;

	private final Retention retention;

	private final Partitions partitions;

	private final AutoPause autoPause;

	private final WebhookUpkeep webhooks;

	private final EndpointNotices endpointNotices;

	private final Resealing resealing;

	private final ConfirmationMails confirmations;

	ScheduledJobs(Dispatcher dispatcher, CampaignRuns campaigns, DomainWatch domains, DomainNotices notices,
			Retention retention, Partitions partitions, AutoPause autoPause, WebhookUpkeep webhooks,
			EndpointNotices endpointNotices, Resealing resealing, ConfirmationMails confirmations) {
		this.dispatcher = dispatcher;
		this.campaigns = campaigns;
		this.domains = domains;
		this.notices = notices;
		this.retention = retention;
		this.partitions = partitions;
		this.autoPause = autoPause;
		this.webhooks = webhooks;
		this.endpointNotices = endpointNotices;
		this.resealing = resealing;
		this.confirmations = confirmations;
	}

	/** Starts scheduled campaigns. */
	@Scheduled(initialDelay = 1, fixedDelay = 2, timeUnit = TimeUnit.SECONDS)
	Mono<Void> startCampaigns() {
		return ifActive("scheduled campaigns were started or paused", Mono.defer(this.campaigns::startDue));
	}

	/** Holds or releases waiting mails after a pause or a resume of a large campaign. */
	@Scheduled(initialDelay = 1000, fixedDelay = 500)
	Mono<Void> followCampaigns() {
		return ifActive("waiting mails were held or released with their campaigns",
				Mono.defer(this.campaigns::followUp));
	}

	/** Asks contacts to confirm their subscription. */
	@Scheduled(initialDelay = 2, fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
	Mono<Void> sendConfirmations() {
		return ifActive("contacts were asked to confirm", Mono.defer(this.confirmations::send));
	}

	/** Checks the DNS records of domains, and notifies owners of missing records. */
	@Scheduled(initialDelay = 2, fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
	Mono<Void> checkDomains() {
		return ifActive("owners were notified of missing DNS records",
				Mono.defer(this.domains::recheck).then(Mono.defer(this.notices::send)));
	}

	/** Pauses accounts with risky rates. */
	@Scheduled(initialDelay = 10, fixedDelay = 60, timeUnit = TimeUnit.SECONDS)
	Mono<Void> pauseAccounts() {
		return ifActive("accounts were paused for their bounce or complaint rate",
				Mono.defer(this.autoPause::pauseRiskyAccounts));
	}

	/** Removes data whose retention period is over. */
	@Scheduled(initialDelay = 20, fixedDelay = 20, timeUnit = TimeUnit.SECONDS)
	Mono<Void> removeExpired() {
		return ifActive("expired rows were removed", Mono.defer(this.retention::removeExpired));
	}

	/** Creates monthly partitions ahead, and drops expired ones. */
	@Scheduled(initialDelay = 4, fixedDelay = 60, timeUnit = TimeUnit.SECONDS)
	Mono<Void> maintainPartitions() {
		return ifActive("partitions were created or months dropped", Mono.defer(this.partitions::maintain));
	}

	/**
	 * Queues calls for events that preceded a subscription and were committed after it.
	 */
	@Scheduled(initialDelay = 2, fixedDelay = 2, timeUnit = TimeUnit.SECONDS)
	Mono<Void> completeSubscriptions() {
		return ifActive("webhook calls were queued for new subscriptions", Mono.defer(this.webhooks::catchUp));
	}

	/** Notifies owners of endpoints that were switched off. */
	@Scheduled(initialDelay = 3, fixedDelay = 5, timeUnit = TimeUnit.SECONDS)
	Mono<Void> reportSwitchedOffEndpoints() {
		return ifActive("owners were notified of endpoints that were switched off",
				Mono.defer(this.endpointNotices::send));
	}

	/** Gives up or removes calls to endpoints that are switched off or deleted. */
	@Scheduled(initialDelay = 15, fixedDelay = 30, timeUnit = TimeUnit.SECONDS)
	Mono<Void> sweepWebhookCalls() {
		return ifActive("webhook calls of inactive or deleted endpoints were given up or removed",
				Mono.defer(this.webhooks::sweep));
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
