package dev.mailroom.sdk;

/**
 * A new contact book.
 */
public final class NewContactBook extends Fields {

	/**
	 * Sets the field <code>name</code>.
	 */
	public NewContactBook name(String name) {
		set("name", name);
		return this;
	}

	/**
	 * Sets the field <code>public_name</code>: Name that recipients see in place of
	 * <code>name</code>, on the pages that mails link to.
	 */
	public NewContactBook publicName(String publicName) {
		set("public_name", publicName);
		return this;
	}

	/**
	 * Sets the field <code>double_opt_in</code>: A contact that is added stays
	 * unsubscribed, with <code>consent: pending</code>, until the person opens the link
	 * in a mail and confirms. The mail counts against the quota and is sent from the
	 * oldest verified domain.
	 */
	public NewContactBook doubleOptIn(boolean doubleOptIn) {
		set("double_opt_in", doubleOptIn);
		return this;
	}

}
