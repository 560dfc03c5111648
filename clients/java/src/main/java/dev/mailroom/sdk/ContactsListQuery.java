package dev.mailroom.sdk;

/**
 * Parameters of <code>contacts.list</code>.
 */
public final class ContactsListQuery extends Fields {

	/**
	 * Sets the field <code>limit</code>: Number of items per page.
	 */
	public ContactsListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

	/**
	 * Sets the field <code>search</code>: Only contacts whose address or name contains
	 * this text, regardless of case.
	 */
	public ContactsListQuery search(String search) {
		set("search", search);
		return this;
	}

}
