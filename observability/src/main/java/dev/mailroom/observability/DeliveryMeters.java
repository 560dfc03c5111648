package dev.mailroom.observability;

import java.time.Duration;

import dev.mailroom.accept.Accepted;
import dev.mailroom.outcome.Settled;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.context.event.EventListener;

/** Counts accepted and settled mail from the application events of the core. */
class DeliveryMeters {

	private final MeterRegistry registry;

	DeliveryMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@EventListener
	void count(Accepted accepted) {
		this.registry.counter("mailroom.emails.accepted", "stream", accepted.stream()).increment(accepted.count());
	}

	@EventListener
	void count(Settled settled) {
		this.registry
			.counter("mailroom.deliveries.settled", "outcome", settled.result().wire(), "stream", settled.stream())
			.increment(settled.count());
		settled.toFirstAttempt().forEach(toFirstAttempt()::record);
	}

	/** Registered on first use, because most apps settle nothing. */
	private Timer toFirstAttempt() {
		return Timer.builder("mailroom.time.to.first.attempt")
			.description("Time from when a delivery was due to the end of its first attempt")
			.serviceLevelObjectives(Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500),
					Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(15),
					Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofHours(1))
			.register(this.registry);
	}

}
