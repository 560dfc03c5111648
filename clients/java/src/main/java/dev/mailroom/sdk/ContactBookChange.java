package dev.mailroom.sdk;

/**
 * Absent fields stay unchanged.
 */
public final class ContactBookChange extends Fields {

	/**
	 * Sets the field <code>name</code>.
	 */
	public ContactBookChange name(String name) {
		set("name", name);
		return this;
	}

	/**
	 * Sets the field <code>public_name</code>: Empty to remove it.
	 */
	public ContactBookChange publicName(String publicName) {
		set("public_name", publicName);
		return this;
	}

	/**
	 * Sets the field <code>double_opt_in</code>.
	 */
	public ContactBookChange doubleOptIn(boolean doubleOptIn) {
		set("double_opt_in", doubleOptIn);
		return this;
	}

}
