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
	 * <code>after</code>. No event is skipped or repeated. With
	 * <code>Accept: text/event-stream</code> the response is a stream of events, those
	 * after <code>after</code> or <code>Last-Event-ID</code>, otherwise those from now
	 * on; the id of a message is its cursor. It ends after 15 minutes. An account has 5
	 * streams at most. Permission: events.read.
	 */
	EventFeed listOnce(EventsListQuery query) {
		return EventFeed.of(this.transport.json(new Call("events.list", "GET", "/events").query(query)).object("data"));
	}

}
