package dev.mailroom.sdk;

import java.util.List;

/**
 * Absent fields stay unchanged.
 */
public final class WebhookEndpointChange extends Fields {

	/**
	 * Sets the field <code>active</code>.
	 */
	public WebhookEndpointChange active(boolean active) {
		set("active", active);
		return this;
	}

	/**
	 * Sets the field <code>url</code>.
	 */
	public WebhookEndpointChange url(String url) {
		set("url", url);
		return this;
	}

	/**
	 * Sets the field <code>events</code>.
	 */
	public WebhookEndpointChange events(List<EventKind> events) {
		set("events", events);
		return this;
	}

	/**
	 * Sets the field <code>headers</code>.
	 */
	public WebhookEndpointChange headers(String headers) {
		set("headers", headers);
		return this;
	}

}
