package dev.mailroom.observability;

import java.util.function.ToDoubleFunction;

import dev.mailroom.database.Replicas;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;

/** Meters of the standbys that serve lists, if there are any. */
class ReplicaMeters implements MeterBinder {

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
			count("replica", servers, Replicas::onReplicas, registry);
			count("primary", servers, Replicas::onPrimary, registry);
		});
	}

	private static void count(String server, Replicas servers, ToDoubleFunction<Replicas> number,
			MeterRegistry registry) {
		FunctionCounter.builder("mailroom.replica.reads", servers, number)
			.description("Lists and searches by the server that served them")
			.tag("server", server)
			.register(registry);
	}

}
