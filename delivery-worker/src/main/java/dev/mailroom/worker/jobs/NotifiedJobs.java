package dev.mailroom.worker.jobs;

import java.time.Duration;
import java.util.concurrent.Callable;

import dev.mailroom.campaign.CampaignRuns;
import dev.mailroom.mail.queue.Holds;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.tracking.ConfirmationMails;
import dev.mailroom.upkeep.EndpointNotices;
import dev.mailroom.webhook.WebhookUpkeep;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.dispatch.WorkLoops;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Jobs that run when a notification tells of their work, on the worker with the active
 * dispatcher only.
 */
@Component
class NotifiedJobs {

	private static final Logger log = LoggerFactory.getLogger(NotifiedJobs.class);

	private static final Duration CAMPAIGN_INTERVAL = Duration.ofMillis(500);

	private static final Duration CONFIRMATION_INTERVAL = Duration.ofSeconds(1);

	/** Also bounds the lateness of scheduled campaigns and of holds that end by time. */
	private static final Duration INTERVAL = Duration.ofSeconds(2);

	/** Campaigns that are due within this time get no other notification. */
	private static final Duration SOON = WorkLoops.IDLE_INTERVAL.multipliedBy(2);

	private final Dispatcher dispatcher;

	private final WorkLoops loops;

	NotifiedJobs(Dispatcher dispatcher, WorkLoops loops, CampaignRuns campaigns, ConfirmationMails confirmations,
			WebhookUpkeep webhooks, EndpointNotices endpointNotices, Holds holds, Queue queue) {
		this.dispatcher = dispatcher;
		this.loops = loops;
		add("scheduled campaigns were started or paused", INTERVAL, blocking(() -> campaigns.anyDueWithin(SOON)),
				blocking(campaigns::startDue));
		add("deliveries were released with their destinations", INTERVAL,
				Mono.defer(holds::count).map((count) -> count > 0), blocking(queue::releaseDestinations));
		// Events that preceded a subscription and were committed after it.
		add("webhook calls were queued for new subscriptions", INTERVAL, blocking(webhooks::anyNewSubscription),
				blocking(webhooks::catchUp));
		add("owners were notified of endpoints that were switched off", INTERVAL, blocking(endpointNotices::send));
		add("waiting mails were held or released with their campaigns", CAMPAIGN_INTERVAL,
				blocking(campaigns::followUp));
		add("contacts were asked to confirm", CONFIRMATION_INTERVAL, Mono.defer(confirmations::send));
	}

	private static <T> Mono<T> blocking(Callable<T> work) {
		return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
	}

	/** Adds a job that is repeated while there may be work, if only later. */
	private void add(String result, Duration interval, Mono<Boolean> any, Mono<Long> work) {
		addIfActive(result, interval,
				any.flatMap((found) -> found ? logged(result, work).thenReturn(true) : Mono.just(false)));
	}

	/** Adds a job that is repeated while it has an effect. */
	private void add(String result, Duration interval, Mono<Long> work) {
		addIfActive(result, interval, logged(result, work).map((count) -> count > 0));
	}

	private void addIfActive(String result, Duration interval, Mono<Boolean> job) {
		this.loops.add(result, interval, () -> !this.dispatcher.isActive() || job.blockOptional().orElse(false));
	}

	/**
	 * Logs the result of a job.
	 * @param result completes a sentence that begins with the number that the work emits
	 */
	private static Mono<Long> logged(String result, Mono<Long> work) {
		return work.doOnNext((count) -> {
			if (count > 0) {
				log.info("{} {}", count, result);
			}
		});
	}

}
