package dev.mailroom.observability;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.WrongSetting;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Enables tracing (OTLP over HTTP) if a collector is configured. Otherwise it excludes
 * the auto-configuration of tracing, because unused spans cost CPU time.
 */
class Traces implements EnvironmentPostProcessor, Ordered {

	static final String KEY = "mailroom.traces.endpoint";

	private static final String HEADERS = "mailroom.traces.headers";

	private static final String EXPORT = "management.opentelemetry.tracing.export.otlp.";

	private static final String EXCLUDE = "spring.autoconfigure.exclude";

	private static final String RESOURCE = "management.opentelemetry.resource-attributes.service.";

	private static final String PACKAGE = "org.springframework.boot.micrometer.tracing.";

	/** A header; the groups are its name and its value. */
	private static final Pattern HEADER = Pattern
		.compile("\\s*([A-Za-z0-9-]+)\\s*=\\s*((?:[\\x20-\\x7e&&[^%]]|%[2-7][0-9A-Fa-f])+?)\\s*");

	private static final List<String> TRACING = List.of("autoconfigure.MicrometerTracingAutoConfiguration",
			"autoconfigure.NoopTracerAutoConfiguration",
			"opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
			"opentelemetry.autoconfigure.otlp.OtlpTracingAutoConfiguration");

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		String endpoint = environment.getProperty(KEY, "");
		Map<String, Object> settings = new HashMap<>();
		if (endpoint.isBlank()) {
			settings.put(EXCLUDE, exclusions(environment.getProperty(EXCLUDE, "")));
		}
		else {
			settings.put(EXPORT + "endpoint", endpoint);
			settings.put(RESOURCE + "namespace", "mailroom");
			settings.put(RESOURCE + "version", environment.getProperty("spring.application.version", "unknown"));
			headers(environment.getProperty(HEADERS, "")).forEach((header) -> settings
				.put(EXPORT + "headers[" + header.group(1) + "]", StringUtils.uriDecode(header.group(2), UTF_8)));
		}
		environment.getPropertySources().addFirst(new MapPropertySource("traces", settings));
	}

	/** The headers of a request to the collector: name and encoded value. */
	private static List<Matcher> headers(String text) {
		List<Matcher> headers = Stream.of(text.split(","))
			.filter((part) -> !part.isBlank())
			.map(HEADER::matcher)
			.toList();
		if (!headers.stream().allMatch(Matcher::matches)) {
			throw new WrongSetting("MAILROOM_TRACES_HEADERS", "(not shown)",
					"a list, separated by commas, of name=value, whose values are percent-encoded");
		}
		return headers;
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
