package dev.mailroom.standalone;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/** What the three apps have in common when they share a process. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StandaloneSettings.class)
class ParentContext {

	@Bean
	PrometheusRegistry prometheusRegistry() {
		return new PrometheusRegistry();
	}

	/**
	 * One scrape tells of all three: each has a registry of its own in front of this one.
	 */
	@Bean
	PrometheusMeterRegistry prometheusMeterRegistry(PrometheusRegistry registry) {
		return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM);
	}

	/** Netty's threads: an app that closes early must not take them from the others. */
	@Bean
	ReactorResourceFactory reactorResources() {
		return new ReactorResourceFactory();
	}

}
