package dev.mailroom.sdk;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Absent fields stay unchanged.
 */
public final class ContactChange extends Fields {

	/**
	 * Sets the field <code>firstName</code>.
	 */
	public ContactChange firstName(@Nullable String firstName) {
		set("firstName", firstName);
		return this;
	}

	/**
	 * Sets the field <code>lastName</code>.
	 */
	public ContactChange lastName(@Nullable String lastName) {
		set("lastName", lastName);
		return this;
	}

	/**
	 * Sets the field <code>subscribed</code>.
	 */
	public ContactChange subscribed(boolean subscribed) {
		set("subscribed", subscribed);
		return this;
	}

	/**
	 * Sets the field <code>properties</code>.
	 */
	public ContactChange properties(@Nullable Map<String, ? extends @Nullable Object> properties) {
		set("properties", properties);
		return this;
	}

}
