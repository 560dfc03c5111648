package dev.mailroom.sdk;

import java.time.Duration;
import java.util.function.Predicate;

/** Operations of events. */
public final class Events extends EventsOperations {

	private static final int PAGE = 100;

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	Events(Transport transport) {
		super(transport);
	}

	/** Lists the stored events, oldest first. */
	public Items<Event> list() {
		return list("");
	}

	/** Lists the stored events after a cursor, oldest first. */
	public Items<Event> list(String after) {
		return new Items<>((cursor) -> {
			EventFeed feed = page(cursor);
			return new Items.Page<>(feed.events(), feed.hasMore() ? feed.nextCursor() : null);
		}, after);
	}

	/**
	 * Handles pages of events, those that are stored and those to come, until the handler
	 * returns false or the thread is interrupted.
	 * @param after the cursor to continue after; empty for the oldest stored event
	 */
	public void follow(String after, Predicate<Items.Page<Event>> handler) {
		String cursor = after;
		while (true) {
			EventFeed feed = page(cursor);
			if (feed.nextCursor() != null) {
				cursor = feed.nextCursor();
			}
			if (!feed.events().isEmpty() && !handler.test(new Items.Page<>(feed.events(), cursor))) {
				return;
			}
			if (!feed.hasMore() && !Waiting.pause(INTERVAL)) {
				return;
			}
		}
	}

	private EventFeed page(String after) {
		EventsListQuery query = new EventsListQuery().limit(PAGE);
		return listOnce(after.isEmpty() ? query : query.after(after));
	}

}
