package dev.mailroom.observability;

import java.util.Locale;

import dev.mailroom.domain.NameServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.context.event.EventListener;

/** Meters of the queries to the name servers. Answers from a cache are not counted. */
class DnsMeters {

	private final MeterRegistry registry;

	DnsMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@EventListener
	void record(NameServers.Query query) {
		timer(this.registry, query.kind(), query.result()).record(query.took());
	}

	static Timer timer(MeterRegistry registry, NameServers.Kind kind, NameServers.Result result) {
		return Timer.builder("mailroom.dns")
			.description("Time of a query to the name servers, with its retries")
			.tag("kind", kind.name().toLowerCase(Locale.ROOT))
			.tag("result", result.name().toLowerCase(Locale.ROOT))
			.serviceLevelObjectives(Buckets.PHASE)
			.register(registry);
	}

}
