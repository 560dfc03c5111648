package dev.mailroom.sdk;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An event feed.
 *
 * @param nextCursor Cursor to continue with. Null if there are no events yet.
 * @param hasMore Whether more events can be read now.
 */
public record EventFeed(List<Event> events, @Nullable String nextCursor, boolean hasMore) {

	static EventFeed of(JsonObject json) {
		return new EventFeed(json.list("events", Event::of), json.textOrNull("next_cursor"), json.bool("has_more"));
	}

}
