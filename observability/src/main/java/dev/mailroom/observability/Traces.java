package dev.mailroom.observability;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Sends traces (OTLP over HTTP) where a collector is named, and leaves all of tracing out
 * where none is: every request would pay for spans that nobody reads.
 */
class Traces implements EnvironmentPostProcessor, Ordered {

	static final String KEY = "mailroom.traces.endpoint";

	private static final String EXCLUDE = "spring.autoconfigure.exclude";

	private static final String PACKAGE = "org.springframework.boot.micrometer.tracing.";

	private static final List<String> TRACING = List.of("autoconfigure.MicrometerTracingAutoConfiguration",
			"autoconfigure.NoopTracerAutoConfiguration",
			"opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
			"opentelemetry.autoconfigure.otlp.OtlpTracingAutoConfiguration");

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		String endpoint = environment.getProperty(KEY, "");
		environment.getPropertySources()
			.addFirst(new MapPropertySource("traces",
					endpoint.isBlank() ? Map.of(EXCLUDE, without(environment.getProperty(EXCLUDE, "")))
							: Map.of("management.opentelemetry.tracing.export.otlp.endpoint", endpoint)));
	}

	/** All of tracing, besides what is left out already. */
	private static String without(String others) {
		Stream<String> tracing = TRACING.stream().map(PACKAGE::concat);
		return Stream.concat(Stream.of(others).filter((name) -> !name.isBlank()), tracing)
			.collect(Collectors.joining(","));
	}

	/** Behind the configuration files. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
