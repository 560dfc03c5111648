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
 * Enables tracing (OTLP over HTTP) if a collector is configured. Otherwise it excludes
 * the auto-configuration of tracing, because unused spans cost CPU time.
 */
class Traces implements EnvironmentPostProcessor, Ordered {

	static final String KEY = "mailroom.traces.endpoint";

	private static final String EXCLUDE = "spring.autoconfigure.exclude";

	private static final String RESOURCE = "management.opentelemetry.resource-attributes.service.";

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
					endpoint.isBlank() ? Map.of(EXCLUDE, exclusions(environment.getProperty(EXCLUDE, "")))
							: Map.of("management.opentelemetry.tracing.export.otlp.endpoint", endpoint,
									RESOURCE + "namespace", "mailroom", RESOURCE + "version",
									environment.getProperty("spring.application.version", "unknown"))));
	}

	/** The auto-configurations to exclude: those excluded already, and tracing. */
	private static String exclusions(String configured) {
		Stream<String> tracing = TRACING.stream().map(PACKAGE::concat);
		return Stream.concat(Stream.of(configured).filter((name) -> !name.isBlank()), tracing)
			.collect(Collectors.joining(","));
	}

	/** Runs after the configuration files are read. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
