package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A new time.
 */
public final class NewTime extends Fields {

	/**
	 * Sets the field <code>send_at</code>: Also accepted as <code>scheduled_at</code>.
	 */
	public NewTime sendAt(Instant sendAt) {
		set("send_at", sendAt);
		return this;
	}

}
