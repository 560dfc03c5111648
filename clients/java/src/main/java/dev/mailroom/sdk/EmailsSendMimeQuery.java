package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

/**
 * Parameters of <code>emails.sendMime</code>.
 */
public final class EmailsSendMimeQuery extends Fields {

	/**
	 * Sets the field <code>to</code>: A recipient, repeated for several. Those that are
	 * in To or Cc as well are shown there, the others are blind copies. Without it the
	 * recipients are those of To, Cc and Bcc.
	 */
	public EmailsSendMimeQuery to(List<String> to) {
		set("to", to);
		return this;
	}

	/**
	 * Sets the field <code>send_at</code>: In the future, at most 30 days from now.
	 */
	public EmailsSendMimeQuery sendAt(Instant sendAt) {
		set("send_at", sendAt);
		return this;
	}

}
