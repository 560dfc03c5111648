package dev.mailroom.api.event;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.feed.Feed;
import org.jspecify.annotations.Nullable;

/**
 * Some of the feed as it is shown.
 *
 * @param nextCursor to read on with, now or later; null where nothing has happened yet
 * @param hasMore whether there is something to read now
 */
record FeedView(List<Item> events, @Nullable String nextCursor, boolean hasMore) {

	static FeedView of(Feed.Stretch stretch) {
		return new FeedView(stretch.events().stream().map(Item::of).toList(),
				(stretch.next() != null) ? stretch.next().text() : null, stretch.more());
	}

	/**
	 * Something that happened.
	 *
	 * @param emailId the mail that it happened to; null where it is of none
	 */
	record Item(UUID id, String type, @Nullable UUID emailId, Map<String, Object> data, Instant createdAt) {

		static Item of(Feed.Happened event) {
			return new Item(event.cursor().id(), event.kind(), event.emailId(), event.data(), event.createdAt());
		}

	}

}
