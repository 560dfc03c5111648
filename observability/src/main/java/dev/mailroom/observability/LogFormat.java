package dev.mailroom.observability;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Writes the log for whoever reads it: JSON (Elastic Common Schema) where a machine
 * collects it, lines where a person does. In both, a value from outside can neither begin
 * a line of its own nor steer a terminal.
 */
class LogFormat implements EnvironmentPostProcessor, Ordered {

	static final String KEY = "mailroom.log-format";

	/** Further lines of a message are indented, and control characters left out. */
	static final String PLAIN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %5p [%X{request_id:-}] %logger{0}: "
			+ "%replace(%replace(%m%n%ex){'[\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F]', ''}){'\\R(?!\\z)', '$0    '}%nopex";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		String asked = environment.getProperty(KEY, "");
		String format = asked.isBlank() ? usual(environment) : asked;
		environment.getPropertySources().addLast(new MapPropertySource("log format", switch (format) {
			case "ecs" -> Map.of("logging.structured.format.console", "ecs");
			case "plain" -> Map.of("logging.pattern.console", PLAIN);
			default -> throw new IllegalStateException("MAILROOM_LOG_FORMAT is ecs or plain, not " + format);
		}));
	}

	private static String usual(ConfigurableEnvironment environment) {
		boolean contained = environment.containsProperty("KUBERNETES_SERVICE_HOST")
				|| Files.exists(Path.of("/.dockerenv"));
		return contained ? "ecs" : "plain";
	}

	/** Behind the configuration files. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
