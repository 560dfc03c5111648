package dev.mailroom.worker.upkeep;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.autopause.AutoPause;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.stereotype.Component;

/**
 * An account's pause for whoever reaches the management port: {@code DELETE
 * /actuator/pause/{account}} lifts it.
 */
@Component
@Endpoint(id = "pause")
class PauseEndpoint {

	private final AutoPause conduct;

	PauseEndpoint(AutoPause conduct) {
		this.conduct = conduct;
	}

	@DeleteOperation
	Mono<Map<String, Boolean>> lift(@Selector UUID account) {
		return this.conduct.lift(Scope.of(account)).map((lifted) -> Map.of("lifted", lifted));
	}

}
