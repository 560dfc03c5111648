package dev.mailroom.sdk;

import java.util.List;

/**
 * A new inbound route.
 */
public final class NewInboundRoute extends Fields {

	/**
	 * Sets the field <code>domain_id</code>.
	 */
	public NewInboundRoute domainId(String domainId) {
		set("domain_id", domainId);
		return this;
	}

	/**
	 * Sets the field <code>pattern</code>: The part of an address before the at sign, or
	 * its beginning and <code>*</code>. <code>*</code> alone matches all. Case does not
	 * matter.
	 */
	public NewInboundRoute pattern(String pattern) {
		set("pattern", pattern);
		return this;
	}

	/**
	 * Sets the field <code>spam</code>: <code>mark</code> if absent.
	 */
	public NewInboundRoute spam(InboundSpamRule spam) {
		set("spam", spam);
		return this;
	}

	/**
	 * Sets the field <code>action</code>: <code>store</code> if absent.
	 */
	public NewInboundRoute action(InboundAction action) {
		set("action", action);
		return this;
	}

	/**
	 * Sets the field <code>forward_to</code>: For <code>forward</code>: 1 to 5 addresses,
	 * each a forward target or at a verified domain of the account.
	 */
	public NewInboundRoute forwardTo(List<String> forwardTo) {
		set("forward_to", forwardTo);
		return this;
	}

	/**
	 * Sets the field <code>forward_mode</code>: <code>rewrite</code> if absent.
	 */
	public NewInboundRoute forwardMode(ForwardMode forwardMode) {
		set("forward_mode", forwardMode);
		return this;
	}

	/**
	 * Sets the field <code>active</code>.
	 */
	public NewInboundRoute active(boolean active) {
		set("active", active);
		return this;
	}

}
