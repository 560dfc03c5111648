package dev.mailroom.standalone;

import dev.mailroom.SettingChecks;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;

/** Beans that the three apps share in one process. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StandaloneSettings.class)
@Import(SettingChecks.class)
class ParentContext {

	@Bean
	PrometheusRegistry prometheusRegistry() {
		return new PrometheusRegistry();
	}

	/**
	 * Returns the registry behind the meter registry of each app. One scrape returns the
	 * meters of all three.
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

	/**
	 * The span that a measurement refers to (an exemplar), from the current thread: each
	 * app has a tracer of its own, and the registry belongs to all of them.
	 */
	private static final class CurrentSpan implements SpanContext {

		@Override
		public @Nullable String getCurrentTraceId() {
			return span().isValid() ? span().getTraceId() : null;
		}

		@Override
		public @Nullable String getCurrentSpanId() {
			return span().isValid() ? span().getSpanId() : null;
		}

		@Override
		public boolean isCurrentSpanSampled() {
			return span().isSampled();
		}

		@Override
		public void markCurrentSpanAsExemplar() {
			Span.current().setAttribute(EXEMPLAR_ATTRIBUTE_NAME, EXEMPLAR_ATTRIBUTE_VALUE);
		}

		private static io.opentelemetry.api.trace.SpanContext span() {
			return Span.current().getSpanContext();
		}

	}

}
