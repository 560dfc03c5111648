package dev.mailroom.worker.jobs;

import java.time.Duration;

import dev.mailroom.closure.Erasure;
import dev.mailroom.worker.dispatch.Dispatcher;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

/** Erases accounts whose deletion is due. */
@Component
class ErasureJob {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private volatile long oldestSeconds;

	ErasureJob(Jobs jobs, Erasure erasure, Dispatcher dispatcher, MeterRegistry registry) {
		Gauge.builder("mailroom.erasure.oldest.age", () -> dispatcher.isActive() ? this.oldestSeconds : Double.NaN)
			.baseUnit("seconds")
			.description("Time since the oldest deletion of an account that is not finished was due")
			.register(registry);
		jobs.always("accounts were erased", INTERVAL, () -> {
			long erased = erasure.run();
			this.oldestSeconds = erasure.oldestSeconds();
			return erased;
		});
	}

}
