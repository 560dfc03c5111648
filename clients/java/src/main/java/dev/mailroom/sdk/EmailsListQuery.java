package dev.mailroom.sdk;

/**
 * Parameters of <code>emails.list</code>.
 */
public final class EmailsListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public EmailsListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

	/**
	 * Sets the field <code>domain_id</code>: Only mail of this domain.
	 */
	public EmailsListQuery domainId(String domainId) {
		set("domain_id", domainId);
		return this;
	}

	/**
	 * Sets the field <code>status</code>: Only mail with this status.
	 */
	public EmailsListQuery status(EmailStatus status) {
		set("status", status);
		return this;
	}

}
