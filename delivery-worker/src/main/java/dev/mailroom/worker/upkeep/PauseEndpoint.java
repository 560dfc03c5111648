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
 * Management endpoint for paused accounts: {@code DELETE /actuator/pause/{account}} lifts
 * the pause.
 */
@Component
@Endpoint(id = "pause")
class PauseEndpoint {

	private final AutoPause autoPause;

	PauseEndpoint(AutoPause autoPause) {
		this.autoPause = autoPause;
	}

	@DeleteOperation
	Mono<Map<String, Boolean>> lift(@Selector UUID account) {
		return this.autoPause.lift(Scope.of(account)).map((lifted) -> Map.of("lifted", lifted));
	}

}
