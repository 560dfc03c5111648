package dev.mailroom.observability;

import java.time.Duration;
import java.util.stream.Stream;

import dev.mailroom.Core;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;

import org.springframework.boot.actuate.autoconfigure.logging.LoggersEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Registers the meters and the health of each app that imports the core. */
@AutoConfiguration(before = LoggersEndpointAutoConfiguration.class)
@ConditionalOnBean(Core.class)
@Import({ AcceptHealth.class, AddressMeters.class, BacklogMeters.class, BucketHealth.class, DatabaseHealth.class,
		DeliveryMeters.class, DirectoryMeters.class, DnsMeters.class, EventLoopMeters.class, LogLevels.class,
		MailSpans.class, QueueMeters.class, QuotaMeters.class, ReadyMeters.class, ReplicaMeters.class,
		ReputationMeters.class, SaturationMeters.class, ServingHealth.class, TrafficReport.class })
class Observability {

	/**
	 * Adds buckets to the duration of HTTP requests. All apps have them, because a
	 * registry shared in one process cannot mix histograms and summaries under one name.
	 */
	@Bean
	MeterFilter requestBuckets() {
		return new MeterFilter() {
			@Override
			public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
				return id.getName().equals("http.server.requests") ? DistributionStatisticConfig.builder()
					.serviceLevelObjectives(Stream.of(buckets(id)).mapToDouble(Duration::toNanos).toArray())
					.build()
					.merge(config) : config;
			}
		};
	}

	private static Duration[] buckets(Meter.Id id) {
		return TrafficReport.RequestCounts.sends(id) ? Buckets.SEND : Buckets.REQUEST;
	}

}
