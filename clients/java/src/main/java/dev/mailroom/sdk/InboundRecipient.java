package dev.mailroom.sdk;

/**
 * An inbound recipient.
 */
public final class InboundRecipient extends Fields {

	/**
	 * Sets the field <code>recipient</code>: An address at a verified domain of the
	 * account.
	 */
	public InboundRecipient recipient(String recipient) {
		set("recipient", recipient);
		return this;
	}

}
