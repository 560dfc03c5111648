package dev.mailroom.worker.jobs;

import java.time.Duration;

import dev.mailroom.worker.address.AddressProbes;

import org.springframework.stereotype.Component;

/** Checks the sending addresses while there are any. */
@Component
class AddressJob {

	/** Limit on the time until a check begins that an operator asks for. */
	private static final Duration INTERVAL = Duration.ofSeconds(10);

	AddressJob(Jobs jobs, AddressProbes probes) {
		jobs.always("sending addresses were checked", INTERVAL, probes::run);
	}

}
