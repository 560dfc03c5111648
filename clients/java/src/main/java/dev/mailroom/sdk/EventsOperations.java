package dev.mailroom.sdk;

/**
 * Operations of <code>events</code>.
 */
class EventsOperations {

	final Transport transport;

	EventsOperations(Transport transport) {
		this.transport = transport;
	}

	/**
	 * Read the events of the last 30 days, oldest first. Continue with
	 * <code>after</code>. No event is skipped or repeated. Permission: events.read.
	 */
	EventFeed listOnce(EventsListQuery query) {
		return EventFeed.of(this.transport.json(new Call("events.list", "GET", "/events").query(query)).object("data"));
	}

}
