package dev.mailroom.sdk;

/**
 * A new suppression.
 */
public final class NewSuppression extends Fields {

	/**
	 * Sets the field <code>email</code>.
	 */
	public NewSuppression email(String email) {
		set("email", email);
		return this;
	}

	/**
	 * Sets the field <code>reason</code>: Defaults to <code>manual</code>.
	 */
	public NewSuppression reason(SuppressionReason reason) {
		set("reason", reason);
		return this;
	}

}
