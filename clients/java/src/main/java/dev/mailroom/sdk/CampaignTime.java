package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A campaign time.
 */
public final class CampaignTime extends Fields {

	/**
	 * Sets the field <code>send_at</code>: Time of the start, with an offset, within 30
	 * days.
	 */
	public CampaignTime sendAt(Instant sendAt) {
		set("send_at", sendAt);
		return this;
	}

}
