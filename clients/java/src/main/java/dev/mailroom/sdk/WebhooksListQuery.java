package dev.mailroom.sdk;

/**
 * Parameters of <code>webhooks.list</code>.
 */
public final class WebhooksListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public WebhooksListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

}
