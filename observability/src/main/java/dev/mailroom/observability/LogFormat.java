package dev.mailroom.observability;

import java.io.Console;
import java.util.Map;
import java.util.Optional;

import dev.mailroom.WrongSetting;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Selects the format of the log: plain lines on a terminal, JSON (Elastic Common Schema)
 * elsewhere. In both, logged values cannot begin a new entry and cannot contain control
 * sequences of terminals or addresses of people.
 */
class LogFormat implements EnvironmentPostProcessor, Ordered {

	static final String KEY = "mailroom.log-format";

	/**
	 * Indents further lines of a message, and removes control characters and the local
	 * parts of addresses.
	 */
	static final String PLAIN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %5p [%X{request_id:-}] %logger{0}: "
			+ "%replace(%replace(%replace(%m%n%ex){'[^\\s<>@]+@(?=[^\\s<>@]*[.])', '***@'})"
			+ "{'[\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F]', ''}){'\\R(?!\\z)', '$0    '}%nopex";

	/**
	 * Level of the logger that warns of each request that cannot be read, with its path
	 * and a line for each header field. A client could fill the disk with them.
	 */
	private static final String UNREADABLE_REQUESTS = "logging.level.reactor.netty.http.server.HttpServerOperations";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		LoggedAddresses.useKey(environment);
		String configured = environment.getProperty(KEY, "");
		String format = configured.isBlank() ? defaultFormat() : configured;
		environment.getPropertySources().addLast(new MapPropertySource("log format", switch (format) {
			case "ecs" -> Map.of("logging.structured.format.console", "ecs", "logging.structured.json.customizer",
					LoggedAddresses.class.getName(), UNREADABLE_REQUESTS, "error");
			case "plain" -> Map.of("logging.pattern.console", PLAIN, UNREADABLE_REQUESTS, "error");
			default -> throw new WrongSetting("MAILROOM_LOG_FORMAT", format, "ecs or plain");
		}));
	}

	private static String defaultFormat() {
		return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent() ? "plain" : "ecs";
	}

	/** Runs after the configuration files are read. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
