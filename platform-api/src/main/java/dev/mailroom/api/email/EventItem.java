package dev.mailroom.api.email;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.webhook.Feed;

/** An event of an email, as GET /emails/:id/events lists it. */
record EventItem(UUID id, String type, Map<String, Object> data, Instant createdAt) {

	static EventItem of(Feed.EmailEvent event) {
		return new EventItem(event.id(), event.kind(), event.data(), event.createdAt());
	}

}
