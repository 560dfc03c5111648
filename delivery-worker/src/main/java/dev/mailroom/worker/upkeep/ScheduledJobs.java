package dev.mailroom.worker.upkeep;

import java.util.concurrent.TimeUnit;

import dev.mailroom.autopause.AutoPause;
import dev.mailroom.campaign.CampaignRuns;
import dev.mailroom.domain.DomainWatch;
import dev.mailroom.notice.DomainNotices;
import dev.mailroom.retention.Retention;
import dev.mailroom.worker.dispatch.Dispatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * What is looked after from time to time, once for all workers: where the dispatcher is
 * the one at work. What fails is tried again at its next time.
 */
@Component
class ScheduledJobs {

	private static final Logger log = LoggerFactory.getLogger(ScheduledJobs.class);

	private final Dispatcher dispatcher;

	private final CampaignRuns campaigns;

	private final DomainWatch watch;

	private final DomainNotices notices;

	private final Retention retention;

	private final AutoPause conduct;

	ScheduledJobs(Dispatcher dispatcher, CampaignRuns campaigns, DomainWatch watch, DomainNotices notices,
			Retention retention, AutoPause conduct) {
		this.dispatcher = dispatcher;
		this.campaigns = campaigns;
		this.watch = watch;
		this.notices = notices;
		this.retention = retention;
		this.conduct = conduct;
	}

	/** Campaigns whose time has come. */
	@Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
	Mono<Void> campaigns() {
		return here("scheduled campaigns came to their time", Mono.defer(this.campaigns::startDue));
	}

	/** Domains whose turn it is, and the owners of those that lost their records. */
	@Scheduled(initialDelay = 2, fixedDelay = 2, timeUnit = TimeUnit.SECONDS)
	Mono<Void> domains() {
		return here("owners were told that their domains lost their records",
				Mono.defer(this.watch::look).then(Mono.defer(this.notices::send)));
	}

	/** How accounts' mail is taken. */
	@Scheduled(initialDelay = 10, fixedDelay = 60, timeUnit = TimeUnit.SECONDS)
	Mono<Void> conduct() {
		return here("accounts were paused for how their mail is taken", Mono.defer(this.conduct::look));
	}

	/** What is too old. */
	@Scheduled(initialDelay = 20, fixedDelay = 20, timeUnit = TimeUnit.SECONDS)
	Mono<Void> retention() {
		return here("rows were kept for long enough and are gone", Mono.defer(this.retention::keep));
	}

	private Mono<Void> here(String what, Mono<Long> work) {
		return Mono.defer(() -> this.dispatcher.atWork() ? work : Mono.just(0L)).doOnNext((count) -> {
			if (count > 0) {
				log.info("{} {}", count, what);
			}
		}).onErrorResume((error) -> {
			log.warn("Upkeep is tried again at its next time ({}): {}", what, error.toString());
			return Mono.empty();
		}).then();
	}

}
