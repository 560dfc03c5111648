package dev.mailroom.sdk;

/**
 * Parameters of <code>domains.list</code>.
 */
public final class DomainsListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public DomainsListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

}
