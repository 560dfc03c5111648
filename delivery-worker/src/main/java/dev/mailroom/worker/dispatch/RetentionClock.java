package dev.mailroom.worker.dispatch;

import java.util.concurrent.TimeUnit;

import dev.mailroom.retention.Retention;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Lets go of what is too old, where the dispatcher is the one at work. */
@Component
class RetentionClock {

	private static final Logger log = LoggerFactory.getLogger(RetentionClock.class);

	private static final long EVERY_SECONDS = 20;

	private final Dispatcher dispatcher;

	private final Retention retention;

	RetentionClock(Dispatcher dispatcher, Retention retention) {
		this.dispatcher = dispatcher;
		this.retention = retention;
	}

	@Scheduled(initialDelay = EVERY_SECONDS, fixedDelay = EVERY_SECONDS, timeUnit = TimeUnit.SECONDS)
	Mono<Void> look() {
		return Mono.defer(() -> this.dispatcher.atWork() ? this.retention.keep() : Mono.just(0L)).doOnNext((count) -> {
			if (count > 0) {
				log.info("{} rows were kept for long enough and are gone", count);
			}
		}).onErrorResume((error) -> {
			log.warn("What is too old cannot be removed: {}", error.toString());
			return Mono.empty();
		}).then();
	}

}
