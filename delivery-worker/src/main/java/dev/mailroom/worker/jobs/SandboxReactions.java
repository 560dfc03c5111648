package dev.mailroom.worker.jobs;

import java.time.Duration;

import dev.mailroom.mail.outcome.Sandbox;
import dev.mailroom.worker.dispatch.WorkLoops;

import org.springframework.stereotype.Component;

/** Records the opens and clicks of the sandbox for the mails that this worker settled. */
@Component
class SandboxReactions {

	/** They wait in memory; nothing searches the database for them. */
	private static final Duration INTERVAL = Duration.ofMillis(500);

	SandboxReactions(Sandbox sandbox, WorkLoops loops) {
		loops.add("opens and clicks of the sandbox", INTERVAL, () -> {
			sandbox.recordReactions();
			return true;
		});
	}

}
