package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A webhook recovery.
 */
public final class WebhookRecovery extends Fields {

	/**
	 * Sets the field <code>since</code>: A time with an offset.
	 */
	public WebhookRecovery since(Instant since) {
		set("since", since);
		return this;
	}

	/**
	 * Sets the field <code>until</code>: A time with an offset; the default is now.
	 */
	public WebhookRecovery until(Instant until) {
		set("until", until);
		return this;
	}

}
