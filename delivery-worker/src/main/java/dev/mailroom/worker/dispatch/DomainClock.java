package dev.mailroom.worker.dispatch;

import java.util.concurrent.TimeUnit;

import dev.mailroom.domain.DomainWatch;
import dev.mailroom.email.DomainNotices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Looks again at domains whose turn it is and writes to their owners, where the
 * dispatcher is the one at work.
 */
@Component
class DomainClock {

	private static final Logger log = LoggerFactory.getLogger(DomainClock.class);

	private static final long EVERY_SECONDS = 2;

	private final Dispatcher dispatcher;

	private final DomainWatch watch;

	private final DomainNotices notices;

	DomainClock(Dispatcher dispatcher, DomainWatch watch, DomainNotices notices) {
		this.dispatcher = dispatcher;
		this.watch = watch;
		this.notices = notices;
	}

	@Scheduled(initialDelay = EVERY_SECONDS, fixedDelay = EVERY_SECONDS, timeUnit = TimeUnit.SECONDS)
	Mono<Void> look() {
		return Mono.defer(() -> this.dispatcher.atWork() ? this.watch.look().then(this.notices.send()) : Mono.just(0L))
			.doOnNext((count) -> {
				if (count > 0) {
					log.info("{} owners were told that their domains lost their records", count);
				}
			})
			.onErrorResume((error) -> {
				log.warn("Domains cannot be looked at again: {}", error.toString());
				return Mono.empty();
			})
			.then();
	}

}
