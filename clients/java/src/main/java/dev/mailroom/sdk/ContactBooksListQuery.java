package dev.mailroom.sdk;

/**
 * Parameters of <code>contactBooks.list</code>.
 */
public final class ContactBooksListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public ContactBooksListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

}
