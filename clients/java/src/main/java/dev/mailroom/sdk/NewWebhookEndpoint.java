package dev.mailroom.sdk;

import java.util.List;

/**
 * A new webhook endpoint.
 */
public final class NewWebhookEndpoint extends Fields {

	/**
	 * Sets the field <code>url</code>: https, with a public address.
	 */
	public NewWebhookEndpoint url(String url) {
		set("url", url);
		return this;
	}

	/**
	 * Sets the field <code>events</code>.
	 */
	public NewWebhookEndpoint events(List<EventKind> events) {
		set("events", events);
		return this;
	}

	/**
	 * Sets the field <code>description</code>.
	 */
	public NewWebhookEndpoint description(String description) {
		set("description", description);
		return this;
	}

	/**
	 * Sets the field <code>headers</code>: <code>svix</code> adds <code>svix-id</code>,
	 * <code>svix-timestamp</code> and <code>svix-signature</code> to calls, with the same
	 * values.
	 */
	public NewWebhookEndpoint headers(String headers) {
		set("headers", headers);
		return this;
	}

}
