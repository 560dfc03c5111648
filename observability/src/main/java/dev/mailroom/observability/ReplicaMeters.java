package dev.mailroom.observability;

import dev.mailroom.database.Replicas;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;

/** Meters of the standbys that serve lists, if there are any. */
class ReplicaMeters implements MeterBinder {

	private static final String READS = "mailroom.replica.reads";

	private static final String DESCRIPTION = "Lists and searches by the server that served them";

	private final ObjectProvider<Replicas> replicas;

	ReplicaMeters(ObjectProvider<Replicas> replicas) {
		this.replicas = replicas;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.replicas.ifAvailable((servers) -> {
			Gauge.builder("mailroom.replica.lag", servers, Replicas::lag)
				.description("Time by which the last replica is behind the primary, or since it was reached")
				.baseUnit("seconds")
				.register(registry);
			FunctionCounter.builder(READS, servers, Replicas::onReplicas)
				.description(DESCRIPTION)
				.tag("server", "replica")
				.register(registry);
			FunctionCounter.builder(READS, servers, Replicas::onPrimary)
				.description(DESCRIPTION)
				.tag("server", "primary")
				.register(registry);
		});
	}

}
