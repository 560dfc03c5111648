package dev.mailroom.sdk;

import java.util.List;

/**
 * Absent fields stay unchanged.
 */
public final class InboundRouteChange extends Fields {

	/**
	 * Sets the field <code>pattern</code>: The part of an address before the at sign, or
	 * its beginning and <code>*</code>. <code>*</code> alone matches all. Case does not
	 * matter.
	 */
	public InboundRouteChange pattern(String pattern) {
		set("pattern", pattern);
		return this;
	}

	/**
	 * Sets the field <code>spam</code>.
	 */
	public InboundRouteChange spam(InboundSpamRule spam) {
		set("spam", spam);
		return this;
	}

	/**
	 * Sets the field <code>action</code>.
	 */
	public InboundRouteChange action(InboundAction action) {
		set("action", action);
		return this;
	}

	/**
	 * Sets the field <code>forward_to</code>: For <code>forward</code>: 1 to 5 addresses,
	 * each a forward target or at a verified domain of the account.
	 */
	public InboundRouteChange forwardTo(List<String> forwardTo) {
		set("forward_to", forwardTo);
		return this;
	}

	/**
	 * Sets the field <code>forward_mode</code>.
	 */
	public InboundRouteChange forwardMode(ForwardMode forwardMode) {
		set("forward_mode", forwardMode);
		return this;
	}

	/**
	 * Sets the field <code>active</code>.
	 */
	public InboundRouteChange active(boolean active) {
		set("active", active);
		return this;
	}

}
