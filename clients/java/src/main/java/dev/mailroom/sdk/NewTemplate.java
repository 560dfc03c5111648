package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A new template.
 */
public final class NewTemplate extends Fields {

	/**
	 * Sets the field <code>name</code>: Unique within the account.
	 */
	public NewTemplate name(String name) {
		set("name", name);
		return this;
	}

	/**
	 * Sets the field <code>subject</code>.
	 */
	public NewTemplate subject(@Nullable String subject) {
		set("subject", subject);
		return this;
	}

	/**
	 * Sets the field <code>html_content</code>.
	 */
	public NewTemplate htmlContent(@Nullable String htmlContent) {
		set("html_content", htmlContent);
		return this;
	}

	/**
	 * Sets the field <code>text_content</code>.
	 */
	public NewTemplate textContent(@Nullable String textContent) {
		set("text_content", textContent);
		return this;
	}

}
