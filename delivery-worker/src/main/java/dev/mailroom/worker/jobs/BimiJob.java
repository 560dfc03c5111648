package dev.mailroom.worker.jobs;

import java.time.Duration;

import dev.mailroom.readiness.BimiChecks;
import dev.mailroom.worker.bimi.BimiProbe;

import org.springframework.stereotype.Component;

/** Checks the logos of domains. */
@Component
class BimiJob {

	/** Limit on the time until a check begins that a person asks for. */
	private static final Duration INTERVAL = Duration.ofSeconds(5);

	private static final Duration ADD_INTERVAL = Duration.ofHours(1);

	BimiJob(Jobs jobs, BimiChecks checks, BimiProbe probe) {
		jobs.always("domains were added to the checks of logos", ADD_INTERVAL, checks::add);
		jobs.always("logos of domains were checked", INTERVAL, () -> {
			checks.run(probe::check);
			return 0;
		});
	}

}
