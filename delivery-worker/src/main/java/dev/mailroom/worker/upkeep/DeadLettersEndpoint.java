package dev.mailroom.worker.upkeep;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.outcome.DeadLetters;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;

/**
 * Management endpoint for dead letters: {@code GET /actuator/deadletters} lists them, and
 * {@code POST /actuator/deadletters/{id}} requeues one.
 */
@Component
@Endpoint(id = "deadletters")
class DeadLettersEndpoint {

	private final DeadLetters deadLetters;

	DeadLettersEndpoint(DeadLetters deadLetters) {
		this.deadLetters = deadLetters;
	}

	@ReadOperation
	Mono<Map<String, List<DeadLetters.Entry>>> newest() {
		return this.deadLetters.newest().map((newest) -> Map.of("deadletters", newest));
	}

	@WriteOperation
	Mono<Map<String, Boolean>> requeue(@Selector UUID id) {
		return this.deadLetters.requeue(id).map((requeued) -> Map.of("requeued", requeued));
	}

}
