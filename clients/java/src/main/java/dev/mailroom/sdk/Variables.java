package dev.mailroom.sdk;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A variables.
 */
public final class Variables extends Fields {

	/**
	 * Sets the field <code>variables</code>: Values for the placeholders.
	 */
	public Variables variables(Map<String, ? extends @Nullable Object> variables) {
		set("variables", variables);
		return this;
	}

}
