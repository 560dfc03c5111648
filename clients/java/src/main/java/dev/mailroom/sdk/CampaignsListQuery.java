package dev.mailroom.sdk;

/**
 * Parameters of <code>campaigns.list</code>.
 */
public final class CampaignsListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public CampaignsListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

	/**
	 * Sets the field <code>status</code>: Only campaigns with this status.
	 */
	public CampaignsListQuery status(String status) {
		set("status", status);
		return this;
	}

	/**
	 * Sets the field <code>search</code>: Only campaigns whose name or subject contains
	 * this text, regardless of case.
	 */
	public CampaignsListQuery search(String search) {
		set("search", search);
		return this;
	}

}
