package dev.mailroom.worker.jobs;

import java.time.Duration;

import dev.mailroom.campaign.CampaignRuns;
import dev.mailroom.mail.queue.Holds;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.tracking.ConfirmationMails;
import dev.mailroom.upkeep.EndpointNotices;
import dev.mailroom.webhook.WebhookUpkeep;
import dev.mailroom.worker.dispatch.WorkLoops;

import org.springframework.stereotype.Component;

/** Jobs that run when a notification tells of their work. */
@Component
class NotifiedJobs {

	private static final Duration CAMPAIGN_INTERVAL = Duration.ofMillis(500);

	private static final Duration CONFIRMATION_INTERVAL = Duration.ofSeconds(1);

	/** Also bounds the lateness of scheduled campaigns and of holds that end by time. */
	private static final Duration INTERVAL = Duration.ofSeconds(2);

	private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(30);

	/** Campaigns that are due within this time get no other notification. */
	private static final Duration SOON = WorkLoops.IDLE_INTERVAL.multipliedBy(2);

	NotifiedJobs(Jobs jobs, CampaignRuns campaigns, ConfirmationMails confirmations, WebhookUpkeep webhooks,
			EndpointNotices endpointNotices, Queue queue, Holds holds) {
		jobs.whileAny("scheduled campaigns were started or paused", INTERVAL, () -> campaigns.anyDueWithin(SOON),
				campaigns::startDue);
		jobs.whileAny("deliveries were released with their destinations", INTERVAL, () -> Jobs.done(holds.count()) > 0,
				queue::releaseDestinations);
		// Events that preceded a subscription and were committed after it.
		jobs.whileAny("webhook calls were queued for new subscriptions", INTERVAL, webhooks::anyNewSubscription,
				webhooks::catchUp);
		jobs.whileEffective("owners were notified of endpoints that were switched off", INTERVAL,
				endpointNotices::send);
		jobs.whileEffective("waiting mails were held or released with their campaigns", CAMPAIGN_INTERVAL,
				campaigns::followUp);
		jobs.whileEffective("contacts were asked to confirm", CONFIRMATION_INTERVAL, confirmations::send);
		jobs.always("webhook calls of inactive or deleted endpoints were given up or removed", SWEEP_INTERVAL,
				webhooks::sweep);
	}

}
