package dev.mailroom.sdk;

/**
 * Parameters of <code>webhooks.deliveries</code>.
 */
public final class WebhooksDeliveriesQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public WebhooksDeliveriesQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

}
