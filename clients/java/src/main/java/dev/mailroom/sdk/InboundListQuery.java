package dev.mailroom.sdk;

/**
 * Parameters of <code>inbound.list</code>.
 */
public final class InboundListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public InboundListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

	/**
	 * Sets the field <code>domain_id</code>: Only mail of this domain.
	 */
	public InboundListQuery domainId(String domainId) {
		set("domain_id", domainId);
		return this;
	}

}
