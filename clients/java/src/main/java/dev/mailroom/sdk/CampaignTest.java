package dev.mailroom.sdk;

import java.util.List;

/**
 * A campaign test.
 */
public final class CampaignTest extends Fields {

	/**
	 * Sets the field <code>to</code>.
	 */
	public CampaignTest to(String... to) {
		set("to", to);
		return this;
	}

	/**
	 * Sets the field <code>to</code>.
	 */
	public CampaignTest to(List<String> to) {
		set("to", to);
		return this;
	}

}
