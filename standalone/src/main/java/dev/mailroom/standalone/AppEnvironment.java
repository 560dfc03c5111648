package dev.mailroom.standalone;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What the standalone tells its apps, in the words they know from a deployment: the
 * variables of their environment. What was settled stands above everything else; a
 * default gives way to what a person has set.
 */
final class AppEnvironment {

	private final Map<String, String> settled = new HashMap<>();

	private final Map<String, Object> defaults = new HashMap<>();

	AppEnvironment settle(String name, Object value) {
		this.settled.put(name, value.toString());
		return this;
	}

	AppEnvironment suggest(String name, Object value) {
		this.defaults.put(name, value.toString());
		return this;
	}

	/** The value of a variable that was settled. */
	String settled(String name) {
		return Objects.requireNonNull(this.settled.get(name), name);
	}

	Map<String, Object> defaults() {
		return Map.copyOf(this.defaults);
	}

	/** What was settled, and what holds for one app alone, as its arguments. */
	String[] arguments(Map<String, String> own) {
		Map<String, String> all = new HashMap<>(this.settled);
		all.putAll(own);
		return all.entrySet()
			.stream()
			.map((each) -> "--" + each.getKey() + "=" + each.getValue())
			.toArray(String[]::new);
	}

}
