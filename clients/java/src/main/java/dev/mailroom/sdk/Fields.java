package dev.mailroom.sdk;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Fields of a body or a query. Those that were not set are not sent. */
public abstract class Fields {

	private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

	Fields() {
	}

	final void set(String name, @Nullable Object value) {
		this.values.put(name, (value instanceof Object[] array) ? java.util.List.of(array) : value);
	}

	final Map<String, @Nullable Object> values() {
		return this.values;
	}

}
