package dev.mailroom.sdk;

/**
 * A hosted policy choice.
 */
public final class HostedPolicyChoice extends Fields {

	/**
	 * Sets the field <code>mode</code>.
	 */
	public HostedPolicyChoice mode(String mode) {
		set("mode", mode);
		return this;
	}

}
