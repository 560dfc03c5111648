package dev.mailroom.worker.dispatch;

import java.util.concurrent.TimeUnit;

import dev.mailroom.conduct.Conduct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Looks how accounts' mail is taken, where the dispatcher is the one at work. */
@Component
class ConductClock {

	private static final Logger log = LoggerFactory.getLogger(ConductClock.class);

	private static final long FIRST_SECONDS = 10;

	private static final long EVERY_SECONDS = 60;

	private final Dispatcher dispatcher;

	private final Conduct conduct;

	ConductClock(Dispatcher dispatcher, Conduct conduct) {
		this.dispatcher = dispatcher;
		this.conduct = conduct;
	}

	@Scheduled(initialDelay = FIRST_SECONDS, fixedDelay = EVERY_SECONDS, timeUnit = TimeUnit.SECONDS)
	Mono<Void> look() {
		return Mono.defer(() -> this.dispatcher.atWork() ? this.conduct.look() : Mono.just(0L))
			.onErrorResume((error) -> {
				log.warn("Accounts' reputations cannot be looked at: {}", error.toString());
				return Mono.empty();
			})
			.then();
	}

}
