package dev.mailroom.sdk;

/**
 * Parameters of <code>templates.list</code>.
 */
public final class TemplatesListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public TemplatesListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

}
