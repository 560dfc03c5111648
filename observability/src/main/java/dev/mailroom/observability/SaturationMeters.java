package dev.mailroom.observability;

import java.util.function.LongSupplier;

import dev.mailroom.Bounded;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Gauges of the limits of this process: the use, the limit and the work that waits. They
 * are read when they are scraped; nothing is counted for them.
 */
class SaturationMeters implements MeterBinder {

	private final ObjectProvider<Bounded> owners;

	SaturationMeters(ObjectProvider<Bounded> owners) {
		this.owners = owners;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.owners.stream().flatMap((owner) -> owner.limits().stream()).forEach((limit) -> register(limit, registry));
	}

	static void register(Bounded.Limit limit, MeterRegistry registry) {
		Tags resource = Tags.of("resource", limit.resource());
		Gauge.builder("mailroom.resource.used", () -> limit.used().getAsLong())
			.description("Use of a limited resource of this process")
			.tags(resource)
			.register(registry);
		Gauge.builder("mailroom.resource.limit", limit::limit)
			.description("Limit of a resource of this process")
			.tags(resource)
			.register(registry);
		@Nullable LongSupplier waiting = limit.waiting();
		if (waiting != null) {
			Gauge.builder("mailroom.resource.waiting", waiting::getAsLong)
				.description("Work that waits for a limited resource of this process")
				.tags(resource)
				.register(registry);
		}
	}

}
