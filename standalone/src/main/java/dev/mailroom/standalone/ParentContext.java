package dev.mailroom.standalone;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/** Beans that the three apps share in one process. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StandaloneSettings.class)
class ParentContext {

	@Bean
	PrometheusRegistry prometheusRegistry() {
		return new PrometheusRegistry();
	}

	/**
	 * Returns the registry behind the meter registry of each app, so that one scrape
	 * returns the meters of all three.
	 */
	@Bean
	PrometheusMeterRegistry prometheusMeterRegistry(PrometheusRegistry registry) {
		return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM, new CurrentSpan());
	}

	/**
	 * Returns the Netty threads, shared so that an app that closes first does not stop
	 * them for the others.
	 */
	@Bean
	ReactorResourceFactory reactorResources() {
		return new ReactorResourceFactory();
	}

}
