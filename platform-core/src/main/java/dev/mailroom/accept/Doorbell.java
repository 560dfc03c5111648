package dev.mailroom.accept;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.stereotype.Component;

/**
 * Wakes the dispatcher after a commit. However often it is rung, one call is under way at
 * a time and one more is remembered. A lost ring costs only time: the dispatcher polls
 * too.
 */
@Component
class Doorbell {

	private static final Logger log = LoggerFactory.getLogger(Doorbell.class);

	private final DoorbellStore store;

	private final Sinks.Many<Boolean> rings = Sinks.many().multicast().directBestEffort();

	Doorbell(DoorbellStore store) {
		this.store = store;
	}

	void ring() {
		this.rings.tryEmitNext(true);
	}

	/** Every call that the rings lead to; never an error, and no end. */
	Flux<Void> calls() {
		return this.rings.asFlux().onBackpressureLatest().concatMap((_) -> call(), 1);
	}

	private Mono<Void> call() {
		return this.store.notifyDispatcher().onErrorResume((ex) -> {
			log.debug("The dispatcher was not woken; it polls", ex);
			return Mono.empty();
		});
	}

}
