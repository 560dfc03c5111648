package dev.mailroom.standalone;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Environment variables and configuration properties that the standalone passes to its
 * apps. A value set here overrides every other source of configuration; a default applies
 * only where the user has set nothing.
 */
final class AppEnvironment {

	private final Map<String, String> values = new HashMap<>();

	private final Map<String, Object> defaults = new HashMap<>();

	AppEnvironment set(String name, Object value) {
		this.values.put(name, value.toString());
		return this;
	}

	AppEnvironment setDefault(String name, Object value) {
		this.defaults.put(name, value.toString());
		return this;
	}

	/** Returns a value that was set; fails if there is none. */
	String get(String name) {
		return Objects.requireNonNull(this.values.get(name), name);
	}

	Map<String, Object> defaults() {
		return Map.copyOf(this.defaults);
	}

	/**
	 * Returns the values that were set and the properties of one app as command-line
	 * arguments; the properties take precedence.
	 */
	String[] arguments(Map<String, String> properties) {
		Map<String, String> all = new HashMap<>(this.values);
		all.putAll(properties);
		return all.entrySet()
			.stream()
			.map((entry) -> "--" + entry.getKey() + "=" + entry.getValue())
			.toArray(String[]::new);
	}

}
