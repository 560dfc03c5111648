package dev.mailroom.worker.dispatch;

import java.util.concurrent.TimeUnit;

import dev.mailroom.campaign.Timetable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Looks for campaigns whose time has come, where the dispatcher is the one at work. */
@Component
class CampaignClock {

	private static final Logger log = LoggerFactory.getLogger(CampaignClock.class);

	private final Dispatcher dispatcher;

	private final Timetable timetable;

	CampaignClock(Dispatcher dispatcher, Timetable timetable) {
		this.dispatcher = dispatcher;
		this.timetable = timetable;
	}

	@Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
	Mono<Void> look() {
		return Mono.defer(() -> this.dispatcher.atWork() ? this.timetable.keep() : Mono.just(0L)).doOnNext((count) -> {
			if (count > 0) {
				log.info("{} scheduled campaigns came to their time", count);
			}
		}).onErrorResume((error) -> {
			log.warn("Scheduled campaigns cannot be looked for: {}", error.toString());
			return Mono.empty();
		}).then();
	}

}
