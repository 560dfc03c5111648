package dev.mailroom.observability;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Warns of environment variables that begin like a setting but are not documented as one,
 * which are mostly misspelt. The jar contains the documentation of the settings.
 */
class UnknownVariables implements EnvironmentPostProcessor, Ordered {

	private static final Pattern SETTING = Pattern.compile("^\\| `(MAILROOM_[A-Z0-9_]+)`", Pattern.MULTILINE);

	/** Variables already warned of: the standalone has several apps in one process. */
	private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

	private final Log log;

	UnknownVariables(DeferredLogFactory logs) {
		this.log = logs.getLog(UnknownVariables.class);
	}

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		PropertySource<?> variables = environment.getPropertySources()
			.get(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
		if (variables == null || !(variables.getSource() instanceof Map<?, ?> map)) {
			return;
		}
		Set<String> settings = settings();
		map.keySet()
			.stream()
			.map(Object::toString)
			.filter((name) -> name.startsWith("MAILROOM_") && !settings.contains(name) && REPORTED.add(name))
			.sorted()
			.forEach((name) -> this.log
				.warn(name + " is not a documented setting. The most similar one is " + nearest(name, settings)));
	}

	private static Set<String> settings() {
		try (InputStream documentation = Objects
			.requireNonNull(UnknownVariables.class.getResourceAsStream("/META-INF/mailroom/configuration.md"))) {
			return SETTING.matcher(new String(documentation.readAllBytes(), StandardCharsets.UTF_8))
				.results()
				.map((row) -> row.group(1))
				.collect(Collectors.toSet());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String nearest(String name, Set<String> settings) {
		return settings.stream()
			.sorted()
			.min(Comparator.comparingInt((setting) -> distance(name, setting)))
			.orElseThrow();
	}

	/** Edit distance (Levenshtein) of two names. */
	private static int distance(String one, String other) {
		int[] row = new int[other.length() + 1];
		for (int column = 0; column < row.length; column++) {
			row[column] = column;
		}
		for (int line = 1; line <= one.length(); line++) {
			int diagonal = row[0];
			row[0] = line;
			for (int column = 1; column < row.length; column++) {
				int changed = diagonal + ((one.charAt(line - 1) == other.charAt(column - 1)) ? 0 : 1);
				diagonal = row[column];
				row[column] = Math.min(changed, 1 + Math.min(row[column], row[column - 1]));
			}
		}
		return row[other.length()];
	}

	/** Runs after the configuration files are read. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
