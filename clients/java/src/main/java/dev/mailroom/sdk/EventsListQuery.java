package dev.mailroom.sdk;

/**
 * Parameters of <code>events.list</code>.
 */
public final class EventsListQuery extends Fields {

	/**
	 * Sets the field <code>after</code>: The <code>next_cursor</code> of the previous
	 * response.
	 */
	public EventsListQuery after(String after) {
		set("after", after);
		return this;
	}

	/**
	 * Sets the field <code>limit</code>: Maximum number of events.
	 */
	public EventsListQuery limit(long limit) {
		set("limit", limit);
		return this;
	}

}
