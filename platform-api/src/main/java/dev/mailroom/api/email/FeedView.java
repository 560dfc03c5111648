package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;

/**
 * Response of GET /events.
 *
 * @param nextCursor the value of {@code after} with which to continue, now or later; null
 * while there are no events
 * @param hasMore whether there are further events now
 */
record FeedView(List<Item> events, @Nullable String nextCursor, boolean hasMore) {

	static FeedView of(Feed.Batch batch) {
		return new FeedView(batch.events().stream().map(Item::of).toList(),
				(batch.next() != null) ? batch.next().text() : null, batch.more());
	}

	/**
	 * An event.
	 *
	 * @param emailId the email that it belongs to; null for the other kinds
	 */
	record Item(UUID id, String type, @Nullable UUID emailId, Map<String, Object> data, Instant createdAt) {

		static Item of(Feed.Entry event) {
			return new Item(event.cursor().id(), event.kind(), event.emailId(), event.data(), event.createdAt());
		}

	}

}
