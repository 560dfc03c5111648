package dev.mailroom.worker.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.mailroom.trackingdomain.Certificates;
import dev.mailroom.worker.tracking.AcmeOrders;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

/** Orders certificates of tracking domains, if an authority is configured. */
@Component
class CertificateJob {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private volatile Map<String, Long> counts = Map.of();

	CertificateJob(Jobs jobs, AcmeOrders orders, Certificates certificates, MeterRegistry registry) {
		if (!orders.isConfigured()) {
			return;
		}
		for (String state : List.of("valid", "failing", "expired", "missing")) {
			Gauge.builder("mailroom.tracking.certificates", () -> this.counts.getOrDefault(state, 0L))
				.description("Tracking domains by the state of their certificate, on the active worker")
				.tag("state", state)
				.register(registry);
		}
		jobs.always("certificates of tracking domains were issued", INTERVAL, () -> {
			long issued = orders.run();
			this.counts = certificates.counts();
			return issued;
		});
	}

}
