package dev.mailroom.sdk;

/**
 * A new tracking domain.
 */
public final class NewTrackingDomain extends Fields {

	/**
	 * Sets the field <code>name</code>: A host name below that of the domain.
	 */
	public NewTrackingDomain name(String name) {
		set("name", name);
		return this;
	}

	/**
	 * Sets the field <code>domain_id</code>: A verified domain of the account.
	 */
	public NewTrackingDomain domainId(String domainId) {
		set("domain_id", domainId);
		return this;
	}

}
