package dev.mailroom.sdk;

/**
 * Parameters of <code>emails.events</code>.
 */
public final class EmailsEventsQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public EmailsEventsQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

}
