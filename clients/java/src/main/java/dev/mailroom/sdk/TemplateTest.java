package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A template test.
 */
public final class TemplateTest extends Fields {

	/**
	 * Sets the field <code>to</code>.
	 */
	public TemplateTest to(String... to) {
		set("to", to);
		return this;
	}

	/**
	 * Sets the field <code>to</code>.
	 */
	public TemplateTest to(List<String> to) {
		set("to", to);
		return this;
	}

	/**
	 * Sets the field <code>from</code>: An address in a verified domain of the account.
	 * Defaults to one in the account's oldest verified domain.
	 */
	public TemplateTest from(String from) {
		set("from", from);
		return this;
	}

	/**
	 * Sets the field <code>variables</code>.
	 */
	public TemplateTest variables(Map<String, ? extends @Nullable Object> variables) {
		set("variables", variables);
		return this;
	}

}
