package dev.mailroom.sdk;

/**
 * Parameters of <code>inbound.routes</code>.
 */
public final class InboundRoutesQuery extends Fields {

	/**
	 * Sets the field <code>domain_id</code>: The domain.
	 */
	public InboundRoutesQuery domainId(String domainId) {
		set("domain_id", domainId);
		return this;
	}

}
