package dev.mailroom.worker.jobs;

import java.time.Duration;

import dev.mailroom.trackingdomain.TrackingDomains;
import dev.mailroom.trackingdomain.TrackingWatch;
import dev.mailroom.worker.smtp.client.InboundProbe;
import dev.mailroom.worker.tracking.TrackingProbe;

import org.springframework.stereotype.Component;

/**
 * Checks the tracking domains, and the certificate that policies below them promise, if
 * this installation offers any.
 */
@Component
class TrackingJob {

	/** Limit on the time until a check begins that an owner asks for. */
	private static final Duration INTERVAL = Duration.ofSeconds(5);

	private static final Duration PROBE_INTERVAL = Duration.ofMinutes(1);

	TrackingJob(Jobs jobs, TrackingDomains domains, TrackingWatch watch, TrackingProbe probe, InboundProbe inbound) {
		if (domains.isOffered()) {
			jobs.always("tracking domains were checked", INTERVAL, () -> {
				watch.run(probe::check);
				return 0;
			});
			jobs.always("certificates of received mail were checked", PROBE_INTERVAL, inbound::run);
		}
	}

}
