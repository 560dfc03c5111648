package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Absent fields stay unchanged; null removes a value.
 */
public final class TemplateChange extends Fields {

	/**
	 * Sets the field <code>name</code>.
	 */
	public TemplateChange name(String name) {
		set("name", name);
		return this;
	}

	/**
	 * Sets the field <code>subject</code>.
	 */
	public TemplateChange subject(@Nullable String subject) {
		set("subject", subject);
		return this;
	}

	/**
	 * Sets the field <code>html_content</code>.
	 */
	public TemplateChange htmlContent(@Nullable String htmlContent) {
		set("html_content", htmlContent);
		return this;
	}

	/**
	 * Sets the field <code>text_content</code>.
	 */
	public TemplateChange textContent(@Nullable String textContent) {
		set("text_content", textContent);
		return this;
	}

}
