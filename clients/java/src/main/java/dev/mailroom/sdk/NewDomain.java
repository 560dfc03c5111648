package dev.mailroom.sdk;

/**
 * A new domain.
 */
public final class NewDomain extends Fields {

	/**
	 * Sets the field <code>name</code>: A host name; neither a public suffix nor an IP
	 * address.
	 */
	public NewDomain name(String name) {
		set("name", name);
		return this;
	}

}
