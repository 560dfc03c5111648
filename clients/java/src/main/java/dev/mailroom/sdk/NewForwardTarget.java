package dev.mailroom.sdk;

/**
 * A new forward target.
 */
public final class NewForwardTarget extends Fields {

	/**
	 * Sets the field <code>address</code>.
	 */
	public NewForwardTarget address(String address) {
		set("address", address);
		return this;
	}

}
