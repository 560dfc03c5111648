package dev.mailroom.sdk;

/**
 * Parameters of <code>suppressions.list</code>.
 */
public final class SuppressionsListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public SuppressionsListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

	/**
	 * Sets the field <code>search</code>: Only addresses that contain this text,
	 * regardless of case.
	 */
	public SuppressionsListQuery search(String search) {
		set("search", search);
		return this;
	}

}
