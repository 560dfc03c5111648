package dev.mailroom.worker.upkeep;

import java.util.concurrent.TimeUnit;

import dev.mailroom.outcome.Sandbox;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Records the opens and clicks of the sandbox for the mails that this worker settled. */
@Component
class SandboxReactions {

	private final Sandbox sandbox;

	SandboxReactions(Sandbox sandbox) {
		this.sandbox = sandbox;
	}

	@Scheduled(fixedDelay = 500, timeUnit = TimeUnit.MILLISECONDS)
	Mono<Void> record() {
		return this.sandbox.recordReactions();
	}

}
