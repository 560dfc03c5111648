package dev.mailroom.sdk;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A new contact.
 */
public final class NewContact extends Fields {

	/**
	 * Sets the field <code>email</code>.
	 */
	public NewContact email(String email) {
		set("email", email);
		return this;
	}

	/**
	 * Sets the field <code>firstName</code>.
	 */
	public NewContact firstName(String firstName) {
		set("firstName", firstName);
		return this;
	}

	/**
	 * Sets the field <code>lastName</code>.
	 */
	public NewContact lastName(String lastName) {
		set("lastName", lastName);
		return this;
	}

	/**
	 * Sets the field <code>subscribed</code>.
	 */
	public NewContact subscribed(boolean subscribed) {
		set("subscribed", subscribed);
		return this;
	}

	/**
	 * Sets the field <code>properties</code>: Custom data.
	 */
	public NewContact properties(Map<String, ? extends @Nullable Object> properties) {
		set("properties", properties);
		return this;
	}

	/**
	 * Sets the field <code>resubscribe</code>: Subscribes the contact even if it has
	 * unsubscribed.
	 */
	public NewContact resubscribe(boolean resubscribe) {
		set("resubscribe", resubscribe);
		return this;
	}

}
